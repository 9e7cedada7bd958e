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
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.028/8.512 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3857733bps lastsnd:890 lastrcv:799 lastack:799 pacing_rate 7715432bps delivery_rate 766056bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:65536
ESTAB 0      131072      10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb147456,f1536,w141824,o0,bl0,d0) cubic wscale:10,10 rto:248 rtt:47.166/0.538 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:19 ssthresh:37 bytes_sent:333885 bytes_retrans:44192 bytes_acked:262182 segs_out:235 segs_in:172 data_segs_out:233 send 4666412bps lastsnd:25 lastrcv:830 lastack:241 pacing_rate 11199240bps delivery_rate 9194632bps delivered:184 busy:516ms unacked:19 retrans:0/31 rcv_space:14480 rcv_ssthresh:64088 notsent:103560 minrtt:29.986 snd_wnd:337920
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.028/8.512 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3857733bps lastsnd:1890 lastrcv:1799 lastack:1799 pacing_rate 7715432bps delivery_rate 766056bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:65536
ESTAB 0      0           10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb147456,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:250 rtt:49.13/0.412 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:42 ssthresh:37 bytes_sent:699589 bytes_retrans:44192 bytes_acked:655398 segs_out:489 segs_in:335 data_segs_out:487 send 9902870bps lastsnd:150 lastrcv:1830 lastack:101 pacing_rate 11883256bps delivery_rate 8785480bps delivered:457 busy:942ms retrans:0/31 rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:337920
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.028/8.512 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3857733bps lastsnd:2890 lastrcv:2799 lastack:2799 pacing_rate 7715432bps delivery_rate 766056bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:65536
ESTAB 0      68808       10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb147456,f696,w89416,o0,bl0,d0) cubic wscale:10,10 rto:243 rtt:42.336/3.113 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:41 ssthresh:37 bytes_sent:1083365 bytes_retrans:44192 bytes_acked:979806 segs_out:755 segs_in:475 data_segs_out:753 send 11218443bps lastsnd:2 lastrcv:2830 lastack:2 pacing_rate 13461928bps delivery_rate 8220336bps delivered:682 busy:1330ms unacked:41 retrans:0/31 rcv_space:14480 rcv_ssthresh:64088 notsent:9440 minrtt:29.986 snd_wnd:337920
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.028/8.512 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3857733bps lastsnd:3890 lastrcv:3799 lastack:3799 pacing_rate 7715432bps delivery_rate 766056bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:65536
ESTAB 0      0           10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb147456,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:253 rtt:52.512/1.518 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:46 ssthresh:37 bytes_sent:1354949 bytes_retrans:44192 bytes_acked:1310758 segs_out:944 segs_in:613 data_segs_out:942 send 10147471bps lastsnd:223 lastrcv:3830 lastack:169 pacing_rate 12176760bps delivery_rate 9246384bps delivered:912 busy:1683ms retrans:0/31 rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:337920
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.028/8.512 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3857733bps lastsnd:4890 lastrcv:4799 lastack:4799 pacing_rate 7715432bps delivery_rate 766056bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:65536
ESTAB 0      3648        10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb147456,f2752,w5440,o0,bl0,d0) cubic wscale:10,10 rto:239 rtt:38.028/0.367 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:31 ssthresh:28 bytes_sent:1749613 bytes_retrans:45640 bytes_acked:1700326 segs_out:1218 segs_in:810 data_segs_out:1216 send 9443147bps lastsnd:35 lastrcv:4830 lastack:2 pacing_rate 11331736bps delivery_rate 9149352bps delivered:1182 busy:2142ms unacked:3 retrans:0/32 rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:431104
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.028/8.512 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3857733bps lastsnd:5890 lastrcv:5799 lastack:5799 pacing_rate 7715432bps delivery_rate 766056bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:65536
ESTAB 0      0           10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb147456,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:39.893/1.127 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:33 ssthresh:28 bytes_sent:2011757 bytes_retrans:45640 bytes_acked:1966118 segs_out:1400 segs_in:924 data_segs_out:1398 send 9582433bps lastsnd:266 lastrcv:5830 lastack:227 pacing_rate 11498840bps delivery_rate 9284928bps delivered:1367 busy:2454ms retrans:0/32 rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:431104
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.028/8.512 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3857733bps lastsnd:6890 lastrcv:6799 lastack:6799 pacing_rate 7715432bps delivery_rate 766056bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:65536
ESTAB 0      0           10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb147456,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:43.249/1.213 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:36 ssthresh:28 bytes_sent:2404973 bytes_retrans:45640 bytes_acked:2359334 segs_out:1673 segs_in:1092 data_segs_out:1671 send 9642396bps lastsnd:111 lastrcv:6830 lastack:67 pacing_rate 11570768bps delivery_rate 9269528bps delivered:1640 busy:2917ms retrans:0/32 rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:431104
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.028/8.512 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3857733bps lastsnd:7890 lastrcv:7799 lastack:7799 pacing_rate 7715432bps delivery_rate 766056bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:65536
ESTAB 0      105008      10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb147456,f4048,w122928,o0,bl0,d0) cubic wscale:10,10 rto:246 rtt:45.193/6.082 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:32 ssthresh:28 bytes_sent:2739517 bytes_retrans:45640 bytes_acked:2647542 segs_out:1905 segs_in:1221 data_segs_out:1903 send 8202332bps lastsnd:8 lastrcv:7830 lastack:8 pacing_rate 9842632bps delivery_rate 9262592bps delivered:1840 busy:3280ms unacked:32 retrans:0/32 rcv_space:14480 rcv_ssthresh:64088 notsent:58672 minrtt:29.986 snd_wnd:430080
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.028/8.512 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3857733bps lastsnd:8890 lastrcv:8799 lastack:8799 pacing_rate 7715432bps delivery_rate 766056bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:65536
ESTAB 0      0           10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb147456,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:249 rtt:48.408/1.867 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:42 ssthresh:30 bytes_sent:3060333 bytes_retrans:45640 bytes_acked:3014694 segs_out:2128 segs_in:1373 data_segs_out:2126 send 10050570bps lastsnd:186 lastrcv:8830 lastack:136 pacing_rate 12060648bps delivery_rate 9254056bps delivered:2095 busy:3671ms retrans:0/32 rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:431104
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.028/8.512 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3857733bps lastsnd:9890 lastrcv:9799 lastack:9799 pacing_rate 7715432bps delivery_rate 766056bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:65536
ESTAB 0      25368       10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb147456,f2536,w34328,o0,bl0,d0) cubic wscale:10,10 rto:249 rtt:48.587/2.495 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:44 ssthresh:33 bytes_sent:3453549 bytes_retrans:45640 bytes_acked:3382542 segs_out:2401 segs_in:1533 data_segs_out:2399 send 10490378bps lastsnd:29 lastrcv:9830 pacing_rate 12588256bps delivery_rate 9148960bps delivered:2350 busy:4094ms unacked:18 retrans:0/32 rcv_space:14480 rcv_ssthresh:64088 minrtt:29.986 snd_wnd:431104
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
