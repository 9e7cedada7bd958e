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
ESTAB 0      0           10.0.0.1:58108     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic rto:266 rtt:65.054/18.315 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1780675bps lastsnd:820 lastrcv:624 lastack:624 pacing_rate 3561304bps delivery_rate 355808bps delivered:4 app_limited busy:130ms rcv_space:14480 rcv_ssthresh:64088 minrtt:65.043 snd_wnd:64995
ESTAB 0      380022      10.0.0.1:58112     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb423936,f10,w409590,o0,bl0,d0) cubic rto:266 rtt:65.739/0 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:92 bytes_sent:560142 bytes_acked:494608 segs_out:395 segs_in:221 data_segs_out:393 send 16211503bps lastsnd:17 lastrcv:690 lastack:17 pacing_rate 32422568bps delivery_rate 8105744bps delivered:348 busy:689ms rwnd_limited:426ms(61.8%) unacked:46 rcv_space:14480 rcv_ssthresh:64088 notsent:314487 minrtt:65.043 snd_wnd:65535
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0           10.0.0.1:58108     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic rto:266 rtt:65.054/18.315 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1780675bps lastsnd:1820 lastrcv:1624 lastack:1624 pacing_rate 3561304bps delivery_rate 355808bps delivered:4 app_limited busy:130ms rcv_space:14480 rcv_ssthresh:64088 minrtt:65.043 snd_wnd:64995
ESTAB 0      413868      10.0.0.1:58112     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb423936,f2132,w444332,o0,bl0,d0) cubic rto:266 rtt:65.739/0 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:64 ssthresh:64 bytes_sent:1483424 bytes_retrans:1448 bytes_acked:1416442 segs_out:1043 segs_in:540 data_segs_out:1041 send 11277567bps lastsnd:30 lastrcv:1690 lastack:30 pacing_rate 13532896bps delivery_rate 8105624bps delivered:995 busy:1689ms rwnd_limited:1425ms(84.4%) unacked:46 retrans:0/1 rcv_space:14480 rcv_ssthresh:64088 notsent:348333 minrtt:65.043 snd_wnd:65535
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0           10.0.0.1:58108     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic rto:266 rtt:65.054/18.315 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1780675bps lastsnd:2820 lastrcv:2624 lastack:2624 pacing_rate 3561304bps delivery_rate 355808bps delivered:4 app_limited busy:130ms rcv_space:14480 rcv_ssthresh:64088 minrtt:65.043 snd_wnd:64995
ESTAB 0      386523      10.0.0.1:58112     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb423936,f805,w416987,o0,bl0,d0) cubic rto:266 rtt:65.74/0.001 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:64 ssthresh:64 bytes_sent:2466449 bytes_retrans:1448 bytes_acked:2399467 segs_out:1733 segs_in:885 data_segs_out:1731 send 11277396bps lastsnd:44 lastrcv:2690 lastack:44 pacing_rate 13532872bps delivery_rate 8105624bps delivered:1685 busy:2689ms rwnd_limited:2425ms(90.2%) unacked:46 retrans:0/1 rcv_space:14480 rcv_ssthresh:64088 notsent:320988 minrtt:65.043 snd_wnd:65535
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0           10.0.0.1:58108     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic rto:266 rtt:65.054/18.315 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1780675bps lastsnd:3820 lastrcv:3624 lastack:3624 pacing_rate 3561304bps delivery_rate 355808bps delivered:4 app_limited busy:130ms rcv_space:14480 rcv_ssthresh:64088 minrtt:65.043 snd_wnd:64995
ESTAB 0      381648      10.0.0.1:58112     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb423936,f2480,w411216,o0,bl0,d0) cubic rto:277 rtt:76.103/5.08 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:45 ssthresh:44 bytes_sent:3428077 bytes_retrans:2896 bytes_acked:3360022 segs_out:2406 segs_in:1216 data_segs_out:2404 send 6849664bps lastsnd:47 lastrcv:3690 lastack:47 pacing_rate 8219512bps delivery_rate 6305464bps delivered:2358 busy:3689ms rwnd_limited:3296ms(89.3%) unacked:45 retrans:0/2 rcv_space:14480 rcv_ssthresh:64088 notsent:316488 minrtt:65 snd_wnd:65535
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0           10.0.0.1:58108     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic rto:266 rtt:65.054/18.315 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1780675bps lastsnd:4820 lastrcv:4624 lastack:4624 pacing_rate 3561304bps delivery_rate 355808bps delivered:4 app_limited busy:130ms rcv_space:14480 rcv_ssthresh:64088 minrtt:65.043 snd_wnd:64995
ESTAB 0      311238      10.0.0.1:58112     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb423936,f954,w339014,o0,bl0,d0) cubic rto:266 rtt:65.736/0.008 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:47 ssthresh:44 bytes_sent:4454542 bytes_retrans:2896 bytes_acked:4386112 segs_out:3126 segs_in:1576 data_segs_out:3124 send 8282341bps lastrcv:4690 pacing_rate 9938672bps delivery_rate 8105504bps delivered:3077 busy:4689ms rwnd_limited:4268ms(91.0%) unacked:46 retrans:0/2 rcv_space:14480 rcv_ssthresh:64088 notsent:245703 minrtt:65 snd_wnd:65535
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0           10.0.0.1:58108     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic rto:266 rtt:65.054/18.315 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1780675bps lastsnd:5820 lastrcv:5624 lastack:5624 pacing_rate 3561304bps delivery_rate 355808bps delivered:4 app_limited busy:130ms rcv_space:14480 rcv_ssthresh:64088 minrtt:65.043 snd_wnd:64995
ESTAB 0      263621      10.0.0.1:58112     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb423936,f315,w290501,o0,bl0,d0) cubic rto:266 rtt:65.739/0.003 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:47 ssthresh:44 bytes_sent:5457839 bytes_retrans:2896 bytes_acked:5389409 segs_out:3830 segs_in:1928 data_segs_out:3828 send 8281964bps lastsnd:9 lastrcv:5690 lastack:9 pacing_rate 9938280bps delivery_rate 8105504bps delivered:3781 busy:5689ms rwnd_limited:5268ms(92.6%) unacked:46 retrans:0/2 rcv_space:14480 rcv_ssthresh:64088 notsent:198086 minrtt:65 snd_wnd:65535
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0           10.0.0.1:58108     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic rto:266 rtt:65.054/18.315 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1780675bps lastsnd:6820 lastrcv:6624 lastack:6624 pacing_rate 3561304bps delivery_rate 355808bps delivered:4 app_limited busy:130ms rcv_space:14480 rcv_ssthresh:64088 minrtt:65.043 snd_wnd:64995
ESTAB 0      395556      10.0.0.1:58112     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb423936,f4060,w426020,o0,bl0,d0) cubic rto:266 rtt:65.739/0.003 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:47 ssthresh:44 bytes_sent:6440864 bytes_retrans:2896 bytes_acked:6372434 segs_out:4520 segs_in:2273 data_segs_out:4518 send 8281964bps lastsnd:23 lastrcv:6690 lastack:23 pacing_rate 9938280bps delivery_rate 8105504bps delivered:4471 busy:6689ms rwnd_limited:6268ms(93.7%) unacked:46 retrans:0/2 rcv_space:14480 rcv_ssthresh:64088 notsent:330021 minrtt:65 snd_wnd:65535
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0           10.0.0.1:58108     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic rto:266 rtt:65.054/18.315 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1780675bps lastsnd:7820 lastrcv:7624 lastack:7624 pacing_rate 3561304bps delivery_rate 355808bps delivered:4 app_limited busy:130ms rcv_space:14480 rcv_ssthresh:64088 minrtt:65.043 snd_wnd:64995
ESTAB 0      366388      10.0.0.1:58112     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb423936,f1356,w395956,o0,bl0,d0) cubic rto:266 rtt:65.708/0.011 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:47 ssthresh:44 bytes_sent:7425712 bytes_retrans:2896 bytes_acked:7357282 segs_out:5212 segs_in:2619 data_segs_out:5210 send 8285871bps lastsnd:11 lastrcv:7690 lastack:11 pacing_rate 9942984bps delivery_rate 8136568bps delivered:5163 busy:7689ms rwnd_limited:7268ms(94.5%) unacked:46 retrans:0/2 rcv_space:14480 rcv_ssthresh:64088 notsent:300853 minrtt:65 snd_wnd:65535
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0           10.0.0.1:58108     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic rto:266 rtt:65.054/18.315 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1780675bps lastsnd:8820 lastrcv:8624 lastack:8624 pacing_rate 3561304bps delivery_rate 355808bps delivered:4 app_limited busy:130ms rcv_space:14480 rcv_ssthresh:64088 minrtt:65.043 snd_wnd:64995
ESTAB 0      336147      10.0.0.1:58112     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb423936,f3821,w364819,o0,bl0,d0) cubic rto:266 rtt:65.712/0.016 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:47 ssthresh:44 bytes_sent:8411633 bytes_retrans:2896 bytes_acked:8343203 segs_out:5904 segs_in:2965 data_segs_out:5902 send 8285366bps lastrcv:8690 pacing_rate 9942360bps delivery_rate 8105504bps delivered:5855 busy:8689ms rwnd_limited:8268ms(95.2%) unacked:46 retrans:0/2 rcv_space:14480 rcv_ssthresh:64088 notsent:270612 minrtt:65 snd_wnd:65535
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0           10.0.0.1:58108     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic rto:266 rtt:65.054/18.315 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1780675bps lastsnd:9820 lastrcv:9624 lastack:9624 pacing_rate 3561304bps delivery_rate 355808bps delivered:4 app_limited busy:130ms rcv_space:14480 rcv_ssthresh:64088 minrtt:65.043 snd_wnd:64995
ESTAB 0      413058      10.0.0.1:58112     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb423936,f2942,w443522,o0,bl0,d0) cubic rto:266 rtt:65.738/0.004 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:47 ssthresh:44 bytes_sent:9449682 bytes_retrans:2896 bytes_acked:9381252 segs_out:6632 segs_in:3329 data_segs_out:6630 send 8282090bps lastrcv:9690 pacing_rate 9938368bps delivery_rate 8105504bps delivered:6583 busy:9689ms rwnd_limited:9268ms(95.7%) unacked:46 retrans:0/2 rcv_space:14480 rcv_ssthresh:64088 notsent:347523 minrtt:65 snd_wnd:65535
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
