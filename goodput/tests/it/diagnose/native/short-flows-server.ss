State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State      Recv-Q Send-Q  Local Address:Port  Peer Address:Port Process
FIN-WAIT-1 0      2489   172.25.172.128:8000 172.31.15.129:36458
	 skmem:(r0,rb131072,t0,tb101376,f776,w3320,o0,bl0,d0) cubic wscale:10,10 rto:340 rtt:123.194/2.996 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:80 bytes_sent:102589 bytes_acked:100101 bytes_received:92 segs_out:73 segs_in:64 data_segs_out:72 data_segs_in:1 send 7522444bps lastsnd:84 lastrcv:428 lastack:60 pacing_rate 15044856bps delivery_rate 3660984bps delivered:71 busy:424ms unacked:2 rcv_space:14480 rcv_ssthresh:64088 minrtt:113.34 snd_wnd:169984
State      Recv-Q Send-Q  Local Address:Port  Peer Address:Port Process
FIN-WAIT-1 0      82129  172.25.172.128:8000 172.31.15.129:36472
	 skmem:(r0,rb131072,t0,tb101376,f3696,w94608,o0,bl0,d0) cubic wscale:10,10 rto:336 rtt:115.265/1.862 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:25 bytes_sent:56661 bytes_acked:20461 bytes_received:92 segs_out:41 segs_in:18 data_segs_out:40 data_segs_in:1 send 2512471bps lastrcv:232 pacing_rate 5024936bps delivery_rate 1207680bps delivered:16 busy:232ms unacked:25 rcv_space:14480 rcv_ssthresh:64088 notsent:45929 minrtt:113.313 snd_wnd:80896
State Recv-Q Send-Q  Local Address:Port  Peer Address:Port Process
ESTAB 0      45077  172.25.172.128:8000 172.31.15.129:36498
	 skmem:(r0,rb131072,t0,tb46080,f2347,w50901,o0,bl0,d0) cubic wscale:10,10 rto:360 rtt:113.36/56.68 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:13221 bytes_received:92 segs_out:11 segs_in:3 data_segs_out:10 data_segs_in:1 send 1021877bps lastsnd:48 lastrcv:48 lastack:48 pacing_rate 2043752bps delivered:1 app_limited busy:48ms unacked:10 rcv_space:14480 rcv_ssthresh:64088 notsent:31856 minrtt:113.36 snd_wnd:64512
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State      Recv-Q Send-Q  Local Address:Port  Peer Address:Port Process
FIN-WAIT-1 0      60409  172.25.172.128:8000 172.31.15.129:36526
	 skmem:(r0,rb131072,t0,tb101376,f4040,w77880,o0,bl0,d0) cubic wscale:10,10 rto:340 rtt:117.502/2.307 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:40 bytes_sent:100101 bytes_acked:42181 bytes_received:92 segs_out:71 segs_in:29 data_segs_out:70 data_segs_in:1 send 3943422bps lastsnd:28 lastrcv:268 lastack:28 pacing_rate 7886800bps delivery_rate 1927096bps delivered:31 busy:268ms unacked:40 rcv_space:14480 rcv_ssthresh:64088 notsent:2489 minrtt:113.411 snd_wnd:80896
State Recv-Q Send-Q  Local Address:Port  Peer Address:Port Process
ESTAB 0      44888  172.25.172.128:8000 172.31.15.129:36542
	 skmem:(r0,rb131072,t0,tb46080,f2536,w50712,o0,bl0,d0) cubic wscale:10,10 rto:344 rtt:113.404/42.526 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:11 bytes_sent:16117 bytes_acked:189 bytes_received:92 segs_out:13 segs_in:4 data_segs_out:12 data_segs_in:1 send 1123629bps lastrcv:112 pacing_rate 2247256bps delivery_rate 102144bps delivered:2 app_limited busy:112ms unacked:11 rcv_space:14480 rcv_ssthresh:64088 notsent:28960 minrtt:113.404 snd_wnd:64512
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State      Recv-Q Send-Q  Local Address:Port  Peer Address:Port Process
FIN-WAIT-1 0      60409  172.25.172.128:8000 172.31.15.129:36570
	 skmem:(r0,rb131072,t0,tb101376,f4040,w77880,o0,bl0,d0) cubic wscale:10,10 rto:340 rtt:117.482/2.292 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:40 bytes_sent:100101 bytes_acked:42181 bytes_received:92 segs_out:71 segs_in:29 data_segs_out:70 data_segs_in:1 send 3944094bps lastsnd:72 lastrcv:312 lastack:72 pacing_rate 7888160bps delivery_rate 1927576bps delivered:31 busy:312ms unacked:40 rcv_space:14480 rcv_ssthresh:64088 notsent:2489 minrtt:113.377 snd_wnd:80896
State Recv-Q Send-Q  Local Address:Port  Peer Address:Port Process
ESTAB 0      31856  172.25.172.128:8000 172.31.15.129:56410
	 skmem:(r0,rb131072,t0,tb46080,f4048,w41008,o0,bl0,d0) cubic wscale:10,10 rto:344 rtt:115.794/5.788 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:20 bytes_sent:42181 bytes_acked:13221 bytes_received:92 segs_out:31 segs_in:13 data_segs_out:30 data_segs_in:1 send 2000795bps lastsnd:24 lastrcv:144 lastack:24 pacing_rate 4001568bps delivery_rate 973384bps delivered:11 app_limited busy:144ms unacked:20 rcv_space:14480 rcv_ssthresh:64088 notsent:2896 minrtt:113.319 snd_wnd:80896
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
