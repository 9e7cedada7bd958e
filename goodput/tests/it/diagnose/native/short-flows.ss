1795565421.776904393
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795565422.781358935
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795565423.756564521
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795565424.919329445
State      Recv-Q Send-Q  Local Address:Port    Peer Address:Port Process
FIN-WAIT-1 0      60409  192.168.92.216:8000 192.168.187.217:48566
	 skmem:(r0,rb131072,t0,tb156672,f4040,w77880,o0,bl0,d0) cubic wscale:10,10 rto:416 rtt:147.464/1.77 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:40 bytes_sent:100101 bytes_acked:42181 bytes_received:92 segs_out:71 segs_in:29 data_segs_out:70 data_segs_in:1 send 3142191bps lastsnd:120 lastrcv:420 lastack:120 pacing_rate 6284352bps delivery_rate 1549936bps delivered:31 busy:416ms unacked:40 rcv_space:14480 rcv_ssthresh:64088 notsent:2489 minrtt:144.249 snd_wnd:80896
1795565425.759641239
State      Recv-Q Send-Q  Local Address:Port    Peer Address:Port Process
FIN-WAIT-1 0      60409  192.168.92.216:8000 192.168.187.217:48576
	 skmem:(r0,rb131072,t0,tb156672,f4040,w77880,o0,bl0,d0) cubic wscale:10,10 rto:416 rtt:147.342/1.755 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:40 bytes_sent:100101 bytes_acked:42181 bytes_received:92 segs_out:71 segs_in:29 data_segs_out:70 data_segs_in:1 send 3144792bps lastsnd:92 lastrcv:392 lastack:92 pacing_rate 6289544bps delivery_rate 1550912bps delivered:31 busy:392ms unacked:40 rcv_space:14480 rcv_ssthresh:64088 notsent:2489 minrtt:144.224 snd_wnd:80896
1795565426.755129706
State      Recv-Q Send-Q  Local Address:Port    Peer Address:Port Process
FIN-WAIT-1 0      2489   192.168.92.216:8000 192.168.187.217:48586
	 skmem:(r0,rb131072,t0,tb156672,f776,w3320,o0,bl0,d0) cubic wscale:10,10 rto:404 rtt:152.327/1.923 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:80 bytes_sent:102589 bytes_acked:100101 bytes_received:92 segs_out:73 segs_in:68 data_segs_out:72 data_segs_in:1 send 6083754bps lastsnd:136 lastrcv:572 lastack:116 pacing_rate 12167488bps delivery_rate 3002648bps delivered:71 busy:572ms unacked:2 rcv_space:14480 rcv_ssthresh:64088 minrtt:144.257 snd_wnd:190464
1795565427.751568892
State Recv-Q Send-Q  Local Address:Port    Peer Address:Port Process
ESTAB 0      76933  192.168.92.216:8000 192.168.187.217:48604
	 skmem:(r0,rb131072,t0,tb65536,f2427,w83589,o0,bl0,d0) cubic wscale:10,10 rto:444 rtt:144.199/72.099 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:13221 bytes_received:92 segs_out:11 segs_in:3 data_segs_out:10 data_segs_in:1 send 803334bps lastsnd:72 lastrcv:76 lastack:76 pacing_rate 1606664bps delivered:1 app_limited busy:72ms unacked:10 rcv_space:14480 rcv_ssthresh:64088 notsent:63712 minrtt:144.199 snd_wnd:64512
1795565428.752285178
State      Recv-Q Send-Q  Local Address:Port    Peer Address:Port Process
FIN-WAIT-1 0      60409  192.168.92.216:8000 192.168.187.217:48612
	 skmem:(r0,rb131072,t0,tb156672,f4040,w77880,o0,bl0,d0) cubic wscale:10,10 rto:416 rtt:147.406/1.716 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:40 bytes_sent:100101 bytes_acked:42181 bytes_received:92 segs_out:71 segs_in:29 data_segs_out:70 data_segs_in:1 send 3143427bps lastsnd:40 lastrcv:340 lastack:40 pacing_rate 6286848bps delivery_rate 1550152bps delivered:31 busy:340ms unacked:40 rcv_space:14480 rcv_ssthresh:64088 notsent:2489 minrtt:144.185 snd_wnd:80896
1795565429.752932316
State      Recv-Q Send-Q  Local Address:Port    Peer Address:Port Process
FIN-WAIT-1 0      28553  192.168.92.216:8000 192.168.187.217:46152
	 skmem:(r0,rb131072,t0,tb156672,f1720,w31048,o0,bl0,d0) cubic wscale:10,10 rto:404 rtt:151.508/2.619 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:17 ssthresh:43 bytes_sent:104037 bytes_retrans:1448 bytes_acked:74037 bytes_received:92 segs_out:74 segs_in:63 data_segs_out:73 data_segs_in:1 send 1299786bps lastsnd:124 lastrcv:572 lastack:116 pacing_rate 3058312bps delivery_rate 2914112bps delivered:70 busy:572ms unacked:20 retrans:1/1 lost:1 sacked:17 rcv_space:14480 rcv_ssthresh:64088 minrtt:144.185 snd_wnd:160768
1795565430.751653833
State Recv-Q Send-Q  Local Address:Port    Peer Address:Port Process
ESTAB 0      76933  192.168.92.216:8000 192.168.187.217:46168
	 skmem:(r0,rb131072,t0,tb65536,f2427,w83589,o0,bl0,d0) cubic wscale:10,10 rto:444 rtt:144.189/72.094 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:13221 bytes_received:92 segs_out:11 segs_in:3 data_segs_out:10 data_segs_in:1 send 803390bps lastsnd:72 lastrcv:72 lastack:72 pacing_rate 1606776bps delivered:1 app_limited busy:72ms unacked:10 rcv_space:14480 rcv_ssthresh:64088 notsent:63712 minrtt:144.189 snd_wnd:64512
1795565431.752366977
State      Recv-Q Send-Q  Local Address:Port    Peer Address:Port Process
FIN-WAIT-1 0      60409  192.168.92.216:8000 192.168.187.217:46182
	 skmem:(r0,rb131072,t0,tb156672,f4040,w77880,o0,bl0,d0) cubic wscale:10,10 rto:416 rtt:147.335/1.743 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:40 bytes_sent:100101 bytes_acked:42181 bytes_received:92 segs_out:71 segs_in:29 data_segs_out:70 data_segs_in:1 send 3144942bps lastsnd:20 lastrcv:320 lastack:20 pacing_rate 6289856bps delivery_rate 1551312bps delivered:31 busy:320ms unacked:40 rcv_space:14480 rcv_ssthresh:64088 notsent:2489 minrtt:144.305 snd_wnd:80896
1795565432.752632245
State      Recv-Q Send-Q  Local Address:Port    Peer Address:Port Process
FIN-WAIT-1 0      2489   192.168.92.216:8000 192.168.187.217:46184
	 skmem:(r0,rb131072,t0,tb156672,f776,w3320,o0,bl0,d0) cubic wscale:10,10 rto:404 rtt:152.288/1.893 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:80 bytes_sent:102589 bytes_acked:100101 bytes_received:92 segs_out:73 segs_in:68 data_segs_out:72 data_segs_in:1 send 6085312bps lastsnd:136 lastrcv:572 lastack:120 pacing_rate 12170584bps delivery_rate 3004144bps delivered:71 busy:572ms unacked:2 rcv_space:14480 rcv_ssthresh:64088 minrtt:144.278 snd_wnd:190464
1795565433.753192175
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795565434.750746994
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
