$ sysctl net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.ipv4.tcp_congestion_control net.ipv4.tcp_window_scaling net.ipv4.tcp_mtu_probing net.ipv4.tcp_ecn
net.ipv4.tcp_rmem = 4096	131072	33554432
net.ipv4.tcp_wmem = 4096	16384	4194304
net.ipv4.tcp_congestion_control = cubic
net.ipv4.tcp_window_scaling = 1
net.ipv4.tcp_mtu_probing = 0
net.ipv4.tcp_ecn = 2
$ while :; do ss -tinm dst 10.0.0.2; sleep 1; done
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      0           10.0.0.1:49394     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:221 rtt:20.928/5.938 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 5535168bps lastsnd:909 lastrcv:845 lastack:845 pacing_rate 11069872bps delivery_rate 1098368bps delivered:4 app_limited busy:43ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20.896 snd_wnd:65024
ESTAB 0      46336       10.0.0.1:49396     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f1536,w51712,o0,bl0,d0) cubic wscale:7,10 rto:225 rtt:24.381/3.716 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:3 ssthresh:2 bytes_sent:370725 bytes_retrans:33304 bytes_acked:328734 segs_out:259 segs_in:176 data_segs_out:257 send 1425372bps lastsnd:2 lastrcv:867 lastack:11 pacing_rate 2850728bps delivery_rate 1011256bps delivered:231 busy:866ms unacked:6 retrans:1/23 lost:2 sacked:2 rcv_space:14480 rcv_ssthresh:64088 notsent:37648 minrtt:20.895 snd_wnd:143232
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0           10.0.0.1:49394     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:221 rtt:20.928/5.938 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 5535168bps lastsnd:1909 lastrcv:1845 lastack:1845 pacing_rate 11069872bps delivery_rate 1098368bps delivered:4 app_limited busy:43ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20.896 snd_wnd:65024
ESTAB 0      41992       10.0.0.1:49396     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f3576,w45576,o0,bl0,d0) cubic wscale:7,10 rto:237 rtt:36.421/20.096 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:5 ssthresh:4 bytes_sent:516973 bytes_retrans:39096 bytes_acked:470638 segs_out:360 segs_in:221 data_segs_out:358 send 1590291bps lastsnd:48 lastrcv:1867 lastack:48 pacing_rate 1908336bps delivery_rate 934192bps delivered:327 busy:1866ms unacked:5 retrans:0/27 rcv_space:14480 rcv_ssthresh:64088 notsent:34752 minrtt:20.895 snd_wnd:122752
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0           10.0.0.1:49394     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:221 rtt:20.928/5.938 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 5535168bps lastsnd:2909 lastrcv:2845 lastack:2845 pacing_rate 11069872bps delivery_rate 1098368bps delivered:4 app_limited busy:43ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20.896 snd_wnd:65024
ESTAB 0      47784       10.0.0.1:49396     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb59904,f3288,w54056,o0,bl0,d0) cubic wscale:7,10 rto:235 rtt:34.399/8.25 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:12 ssthresh:9 bytes_sent:842773 bytes_retrans:41992 bytes_acked:783406 segs_out:585 segs_in:286 data_segs_out:583 send 4041048bps lastsnd:6 lastrcv:2867 lastack:6 pacing_rate 4849232bps delivery_rate 4176544bps delivered:543 busy:2866ms unacked:12 retrans:0/29 rcv_space:14480 rcv_ssthresh:64088 notsent:30408 minrtt:20.895 snd_wnd:143232
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0           10.0.0.1:49394     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:221 rtt:20.928/5.938 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 5535168bps lastsnd:3909 lastrcv:3845 lastack:3845 pacing_rate 11069872bps delivery_rate 1098368bps delivered:4 app_limited busy:43ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20.896 snd_wnd:65024
ESTAB 0      52128       10.0.0.1:49396     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb59904,f3936,w57504,o0,bl0,d0) cubic wscale:7,10 rto:237 rtt:36.402/19.437 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:9 ssthresh:8 bytes_sent:1188845 bytes_retrans:50680 bytes_acked:1125134 segs_out:824 segs_in:382 data_segs_out:822 send 2864018bps lastsnd:34 lastrcv:3867 lastack:34 pacing_rate 3436816bps delivery_rate 1681680bps delivered:779 busy:3866ms unacked:9 retrans:0/35 rcv_space:14480 rcv_ssthresh:64088 notsent:39096 minrtt:20.895 snd_wnd:107392
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0           10.0.0.1:49394     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:221 rtt:20.928/5.938 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 5535168bps lastsnd:4909 lastrcv:4845 lastack:4845 pacing_rate 11069872bps delivery_rate 1098368bps delivered:4 app_limited busy:43ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20.896 snd_wnd:65024
ESTAB 0      37648       10.0.0.1:49396     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb59904,f2032,w43024,o0,bl0,d0) cubic wscale:7,10 rto:228 rtt:27.388/8.451 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:4 ssthresh:3 bytes_sent:1430661 bytes_retrans:68056 bytes_acked:1352470 segs_out:991 segs_in:463 data_segs_out:989 send 1691836bps lastsnd:9 lastrcv:4867 lastack:9 pacing_rate 3552816bps delivery_rate 2025080bps delivered:939 busy:4866ms unacked:7 retrans:1/47 lost:1 sacked:3 rcv_space:14480 rcv_ssthresh:64088 notsent:27512 minrtt:20.895 snd_wnd:79360
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0           10.0.0.1:49394     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:221 rtt:20.928/5.938 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 5535168bps lastsnd:5909 lastrcv:5845 lastack:5845 pacing_rate 11069872bps delivery_rate 1098368bps delivered:4 app_limited busy:43ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20.896 snd_wnd:65024
ESTAB 0      63712       10.0.0.1:49396     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb59904,f1440,w68192,o0,bl0,d0) cubic wscale:7,10 rto:230 rtt:29.662/12.223 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:8 ssthresh:7 bytes_sent:1642069 bytes_retrans:78192 bytes_acked:1552294 segs_out:1137 segs_in:524 data_segs_out:1135 send 3124267bps lastsnd:20 lastrcv:5867 lastack:20 pacing_rate 3749104bps delivery_rate 1929144bps delivered:1074 busy:5866ms unacked:8 retrans:0/54 rcv_space:14480 rcv_ssthresh:64088 notsent:52128 minrtt:20.895 snd_wnd:110080
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0           10.0.0.1:49394     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:221 rtt:20.928/5.938 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 5535168bps lastsnd:6909 lastrcv:6845 lastack:6845 pacing_rate 11069872bps delivery_rate 1098368bps delivered:4 app_limited busy:43ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20.896 snd_wnd:65024
ESTAB 0      72400       10.0.0.1:49396     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb59904,f1840,w75984,o0,bl0,d0) cubic wscale:7,10 rto:240 rtt:39.833/20.97 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:5 ssthresh:4 bytes_sent:1768045 bytes_retrans:91224 bytes_acked:1669582 segs_out:1224 segs_in:578 data_segs_out:1222 send 1454071bps lastsnd:50 lastrcv:6867 lastack:50 pacing_rate 1744856bps delivery_rate 934192bps delivered:1155 busy:6866ms unacked:5 retrans:0/63 rcv_space:14480 rcv_ssthresh:64088 notsent:65160 minrtt:20.895 snd_wnd:103936
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0           10.0.0.1:49394     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:221 rtt:20.928/5.938 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 5535168bps lastsnd:7909 lastrcv:7845 lastack:7845 pacing_rate 11069872bps delivery_rate 1098368bps delivered:4 app_limited busy:43ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20.896 snd_wnd:65024
ESTAB 0      49232       10.0.0.1:49396     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb59904,f2736,w54608,o0,bl0,d0) cubic wscale:7,10 rto:235 rtt:34.117/17.226 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 ssthresh:5 bytes_sent:2022893 bytes_retrans:97016 bytes_acked:1911398 segs_out:1400 segs_in:646 data_segs_out:1398 send 3395375bps lastsnd:38 lastrcv:7867 lastack:38 pacing_rate 4074400bps delivery_rate 1930664bps delivered:1322 busy:7866ms unacked:10 retrans:0/67 rcv_space:14480 rcv_ssthresh:64088 notsent:34752 minrtt:20.895 snd_wnd:126592
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0           10.0.0.1:49394     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:221 rtt:20.928/5.938 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 5535168bps lastsnd:8909 lastrcv:8845 lastack:8845 pacing_rate 11069872bps delivery_rate 1098368bps delivered:4 app_limited busy:43ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20.896 snd_wnd:65024
ESTAB 0      44888       10.0.0.1:49396     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb59904,f2984,w50264,o0,bl0,d0) cubic wscale:7,10 rto:247 rtt:46.844/20.173 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:9 ssthresh:4 bytes_sent:2277741 bytes_retrans:111496 bytes_acked:2153214 segs_out:1576 segs_in:708 data_segs_out:1574 send 2225600bps lastsnd:39 lastrcv:8867 lastack:39 pacing_rate 2670688bps delivery_rate 1307864bps delivered:1489 busy:8866ms unacked:9 retrans:0/77 rcv_space:14480 rcv_ssthresh:64088 notsent:31856 minrtt:20.895 snd_wnd:104576
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0           10.0.0.1:49394     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:221 rtt:20.928/5.938 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 5535168bps lastsnd:9909 lastrcv:9845 lastack:9845 pacing_rate 11069872bps delivery_rate 1098368bps delivered:4 app_limited busy:43ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20.896 snd_wnd:65024
ESTAB 0      50680       10.0.0.1:49396     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb59904,f3080,w54264,o0,bl0,d0) cubic wscale:7,10 rto:239 rtt:38.609/18.656 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:6 ssthresh:3 bytes_sent:2549965 bytes_retrans:124528 bytes_acked:2416750 segs_out:1764 segs_in:788 data_segs_out:1762 send 1800202bps lastsnd:3 lastrcv:9867 lastack:3 pacing_rate 2160208bps delivery_rate 1121032bps delivered:1671 busy:9866ms unacked:6 retrans:0/86 rcv_space:14480 rcv_ssthresh:64088 notsent:41992 minrtt:20.895 snd_wnd:136064
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
