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
ESTAB 0      0           10.0.0.1:56266     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:235 rtt:34.285/9.675 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3378737bps lastsnd:882 lastrcv:777 lastack:777 pacing_rate 6757344bps delivery_rate 673696bps delivered:4 app_limited busy:69ms rcv_space:14480 rcv_ssthresh:64088 minrtt:34.265 snd_wnd:65536
ESTAB 0      419920      10.0.0.1:56274     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb419328,f1968,w448592,o0,bl0,d0) cubic wscale:10,10 rto:236 rtt:35.397/0.082 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:46 ssthresh:32 bytes_sent:1513197 bytes_retrans:5792 bytes_acked:1436454 segs_out:1048 segs_in:717 data_segs_out:1046 send 15053931bps lastsnd:1 lastrcv:813 lastack:1 pacing_rate 19242576bps delivery_rate 14673608bps delivered:997 busy:811ms unacked:49 retrans:1/4 lost:1 sacked:3 rcv_space:14480 rcv_ssthresh:64088 notsent:348968 minrtt:34.265 snd_wnd:1211392
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0           10.0.0.1:56266     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:235 rtt:34.285/9.675 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3378737bps lastsnd:1882 lastrcv:1777 lastack:1777 pacing_rate 6757344bps delivery_rate 673696bps delivered:4 app_limited busy:69ms rcv_space:14480 rcv_ssthresh:64088 minrtt:34.265 snd_wnd:65536
ESTAB 0      421368      10.0.0.1:56274     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb419328,f3976,w438392,o0,bl0,d0) cubic wscale:10,10 rto:236 rtt:35.781/0.44 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:23 ssthresh:18 bytes_sent:2651325 bytes_retrans:10136 bytes_acked:2607886 segs_out:1834 segs_in:1153 data_segs_out:1832 send 7446187bps lastsnd:5 lastrcv:1813 lastack:5 pacing_rate 8935360bps delivery_rate 7174368bps delivered:1803 busy:1811ms unacked:23 retrans:0/7 rcv_space:14480 rcv_ssthresh:64088 notsent:388064 minrtt:34.265 snd_wnd:1212416
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0           10.0.0.1:56266     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:235 rtt:34.285/9.675 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3378737bps lastsnd:2882 lastrcv:2777 lastack:2777 pacing_rate 6757344bps delivery_rate 673696bps delivered:4 app_limited busy:69ms rcv_space:14480 rcv_ssthresh:64088 minrtt:34.265 snd_wnd:65536
ESTAB 0      362000      10.0.0.1:56274     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb419328,f3184,w373648,o0,bl0,d0) cubic wscale:10,10 rto:237 rtt:36.455/1.397 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:9 ssthresh:9 bytes_sent:3291341 bytes_retrans:17376 bytes_acked:3253694 segs_out:2276 segs_in:1407 data_segs_out:2274 send 2859855bps lastsnd:20 lastrcv:2813 lastack:15 pacing_rate 5338352bps delivery_rate 3873592bps delivered:2254 busy:2811ms unacked:14 retrans:1/12 lost:1 sacked:5 rcv_space:14480 rcv_ssthresh:64088 notsent:341728 minrtt:34.265 snd_wnd:1212416
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0           10.0.0.1:56266     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:235 rtt:34.285/9.675 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3378737bps lastsnd:3882 lastrcv:3777 lastack:3777 pacing_rate 6757344bps delivery_rate 673696bps delivered:4 app_limited busy:69ms rcv_space:14480 rcv_ssthresh:64088 minrtt:34.265 snd_wnd:65536
ESTAB 0      305528      10.0.0.1:56274     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb419328,f1416,w318072,o0,bl0,d0) cubic wscale:10,10 rto:237 rtt:36.332/0.342 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:16 ssthresh:8 bytes_sent:3744565 bytes_retrans:20272 bytes_acked:3701126 segs_out:2589 segs_in:1584 data_segs_out:2587 send 5101398bps lastsnd:25 lastrcv:3813 lastack:25 pacing_rate 6121592bps delivery_rate 5124104bps delivered:2558 busy:3811ms unacked:16 retrans:0/14 rcv_space:14480 rcv_ssthresh:64088 notsent:282360 minrtt:34.265 snd_wnd:1212416
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0           10.0.0.1:56266     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:235 rtt:34.285/9.675 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3378737bps lastsnd:4882 lastrcv:4777 lastack:4777 pacing_rate 6757344bps delivery_rate 673696bps delivered:4 app_limited busy:69ms rcv_space:14480 rcv_ssthresh:64088 minrtt:34.265 snd_wnd:65536
ESTAB 0      341728      10.0.0.1:56274     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb419328,f1184,w355168,o0,bl0,d0) cubic wscale:10,10 rto:237 rtt:36.969/2.275 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:11 ssthresh:11 bytes_sent:4309285 bytes_retrans:27512 bytes_acked:4251366 segs_out:2979 segs_in:1809 data_segs_out:2977 send 3446780bps lastsnd:1 lastrcv:4813 lastack:1 pacing_rate 7520112bps delivery_rate 4518816bps delivered:2948 busy:4811ms unacked:21 retrans:2/19 lost:2 sacked:10 rcv_space:14480 rcv_ssthresh:64088 notsent:311320 minrtt:34.265 snd_wnd:1211392
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0           10.0.0.1:56266     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:235 rtt:34.285/9.675 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3378737bps lastsnd:5882 lastrcv:5777 lastack:5777 pacing_rate 6757344bps delivery_rate 673696bps delivered:4 app_limited busy:69ms rcv_space:14480 rcv_ssthresh:64088 minrtt:34.265 snd_wnd:65536
ESTAB 0      392408      10.0.0.1:56274     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb419328,f2856,w406744,o0,bl0,d0) cubic wscale:10,10 rto:237 rtt:36.004/0.241 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:19 ssthresh:9 bytes_sent:4843597 bytes_retrans:28960 bytes_acked:4787126 segs_out:3348 segs_in:2005 data_segs_out:3346 send 6113099bps lastsnd:4 lastrcv:5813 lastack:4 pacing_rate 7335688bps delivery_rate 5764616bps delivered:3308 busy:5811ms unacked:19 retrans:0/20 rcv_space:14480 rcv_ssthresh:64088 notsent:364896 minrtt:34.265 snd_wnd:1212416
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0           10.0.0.1:56266     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:235 rtt:34.285/9.675 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3378737bps lastsnd:6882 lastrcv:6777 lastack:6777 pacing_rate 6757344bps delivery_rate 673696bps delivered:4 app_limited busy:69ms rcv_space:14480 rcv_ssthresh:64088 minrtt:34.265 snd_wnd:65536
ESTAB 0      280912      10.0.0.1:56274     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb419328,f48,w290768,o0,bl0,d0) cubic wscale:10,10 rto:238 rtt:37.311/2.559 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:9 ssthresh:7 bytes_sent:5337365 bytes_retrans:34752 bytes_acked:5289582 segs_out:3689 segs_in:2207 data_segs_out:3687 send 2794243bps lastsnd:17 lastrcv:6813 lastack:17 pacing_rate 3353088bps delivery_rate 2608856bps delivered:3655 busy:6811ms unacked:9 retrans:0/24 rcv_space:14480 rcv_ssthresh:64088 notsent:267880 minrtt:34 snd_wnd:1212416
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0           10.0.0.1:56266     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:235 rtt:34.285/9.675 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3378737bps lastsnd:7882 lastrcv:7777 lastack:7777 pacing_rate 6757344bps delivery_rate 673696bps delivered:4 app_limited busy:69ms rcv_space:14480 rcv_ssthresh:64088 minrtt:34.265 snd_wnd:65536
ESTAB 0      445984      10.0.0.1:56274     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb419328,f2144,w464800,o0,bl0,d0) cubic wscale:10,10 rto:237 rtt:36.11/1.014 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:23 ssthresh:7 bytes_sent:5974485 bytes_retrans:34752 bytes_acked:5906430 segs_out:4129 segs_in:2452 data_segs_out:4127 send 7378344bps lastsnd:5 lastrcv:7813 lastack:5 pacing_rate 8853792bps delivery_rate 7174368bps delivered:4081 busy:7811ms unacked:23 retrans:0/24 rcv_space:14480 rcv_ssthresh:64088 notsent:412680 minrtt:34 snd_wnd:1212416
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0           10.0.0.1:56266     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:235 rtt:34.285/9.675 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3378737bps lastsnd:8882 lastrcv:8777 lastack:8777 pacing_rate 6757344bps delivery_rate 673696bps delivered:4 app_limited busy:69ms rcv_space:14480 rcv_ssthresh:64088 minrtt:34.265 snd_wnd:65536
ESTAB 0      409784      10.0.0.1:56274     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb419328,f2760,w423224,o0,bl0,d0) cubic wscale:10,10 rto:238 rtt:37.734/4.175 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:15 ssthresh:11 bytes_sent:6589885 bytes_retrans:39096 bytes_acked:6529070 segs_out:4554 segs_in:2706 data_segs_out:4552 send 4604866bps lastsnd:2 lastrcv:8813 lastack:2 pacing_rate 5525744bps delivery_rate 4565504bps delivered:4511 busy:8811ms unacked:15 retrans:0/27 rcv_space:14480 rcv_ssthresh:64088 notsent:388064 minrtt:34 snd_wnd:1212416
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0           10.0.0.1:56266     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:235 rtt:34.285/9.675 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3378737bps lastsnd:9882 lastrcv:9777 lastack:9777 pacing_rate 6757344bps delivery_rate 673696bps delivered:4 app_limited busy:69ms rcv_space:14480 rcv_ssthresh:64088 minrtt:34.265 snd_wnd:65536
ESTAB 0      272224      10.0.0.1:56274     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb419328,f3744,w282976,o0,bl0,d0) cubic wscale:10,10 rto:237 rtt:36.228/0.529 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:15 ssthresh:9 bytes_sent:7122749 bytes_retrans:43440 bytes_acked:7057590 segs_out:4922 segs_in:2909 data_segs_out:4920 send 4796290bps lastsnd:2 lastrcv:9813 lastack:2 pacing_rate 5755544bps delivery_rate 4803712bps delivered:4876 busy:9811ms unacked:15 retrans:0/30 rcv_space:14480 rcv_ssthresh:64088 notsent:250504 minrtt:34 snd_wnd:1212416
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
