$ sysctl net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.ipv4.tcp_congestion_control net.ipv4.tcp_window_scaling net.ipv4.tcp_mtu_probing net.ipv4.tcp_ecn
net.ipv4.tcp_rmem = 4096	131072	33554432
net.ipv4.tcp_wmem = 4096	16384	4194304
net.ipv4.tcp_congestion_control = cubic
net.ipv4.tcp_window_scaling = 1
net.ipv4.tcp_mtu_probing = 0
net.ipv4.tcp_ecn = 2
$ while :; do ss -tinm dst 10.0.0.2; sleep 1; done
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:520 lastrcv:400 lastack:400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      0           10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb165888,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:268 rtt:67.195/7.038 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:187 bytes_sent:262181 bytes_acked:262182 segs_out:185 segs_in:149 data_segs_out:183 send 32237637bps lastsnd:156 lastrcv:440 lastack:114 pacing_rate 64474552bps delivery_rate 25043808bps delivered:184 app_limited busy:289ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:347136
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:1520 lastrcv:1400 lastack:1400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      0           10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb165888,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:273 rtt:72.767/4.751 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:187 ssthresh:187 bytes_sent:917541 bytes_acked:917542 segs_out:640 segs_in:518 data_segs_out:638 send 29769099bps lastsnd:141 lastrcv:1440 lastack:65 pacing_rate 35722672bps delivery_rate 25043808bps delivered:639 app_limited busy:669ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:983040
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:2520 lastrcv:2400 lastack:2400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      0           10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb165888,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:273 rtt:72.767/4.751 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:187 ssthresh:187 bytes_sent:1572901 bytes_acked:1572902 segs_out:1095 segs_in:823 data_segs_out:1093 send 29769099bps lastsnd:93 lastrcv:2440 lastack:17 pacing_rate 35722672bps delivery_rate 25043808bps delivered:1094 app_limited busy:1049ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:983040
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:3520 lastrcv:3400 lastack:3400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      115144      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb165888,f3128,w140232,o0,bl0,d0) cubic wscale:10,10 rto:255 rtt:54.371/7.907 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:187 ssthresh:187 bytes_sent:2228261 bytes_acked:2113118 segs_out:1550 segs_in:1074 data_segs_out:1548 send 39841239bps lastsnd:44 lastrcv:3440 pacing_rate 47809152bps delivery_rate 25043808bps delivered:1469 app_limited busy:1397ms unacked:80 rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:983040
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:4520 lastrcv:4400 lastack:4400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      0           10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb165888,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:273 rtt:72.767/4.751 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:187 ssthresh:187 bytes_sent:2752549 bytes_acked:2752550 segs_out:1914 segs_in:1372 data_segs_out:1912 send 29769099bps lastsnd:205 lastrcv:4440 lastack:129 pacing_rate 35722672bps delivery_rate 25043808bps delivered:1913 app_limited busy:1733ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:983040
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:5520 lastrcv:5400 lastack:5400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      0           10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb165888,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:273 rtt:72.767/4.751 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:187 ssthresh:187 bytes_sent:3407909 bytes_acked:3407910 segs_out:2369 segs_in:1677 data_segs_out:2367 send 29769099bps lastsnd:157 lastrcv:5440 lastack:81 pacing_rate 35722672bps delivery_rate 25043808bps delivered:2368 app_limited busy:2113ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:983040
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:6520 lastrcv:6400 lastack:6400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      0           10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb165888,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:273 rtt:72.767/4.751 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:187 ssthresh:187 bytes_sent:4063269 bytes_acked:4063270 segs_out:2824 segs_in:1982 data_segs_out:2822 send 29769099bps lastsnd:108 lastrcv:6440 lastack:32 pacing_rate 35722728bps delivery_rate 25043808bps delivered:2823 app_limited busy:2493ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:983040
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:7520 lastrcv:7400 lastack:7400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      58672       10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb165888,f1616,w72112,o0,bl0,d0) cubic wscale:10,10 rto:257 rtt:56.112/4.061 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:187 ssthresh:187 bytes_sent:4718629 bytes_acked:4659958 segs_out:3279 segs_in:2259 data_segs_out:3277 send 38605076bps lastsnd:60 lastrcv:7440 pacing_rate 46325984bps delivery_rate 25043808bps delivered:3237 app_limited busy:2857ms unacked:41 rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:983040
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:8520 lastrcv:8400 lastack:8400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      131072      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb165888,f896,w158848,o0,bl0,d0) cubic wscale:10,10 rto:273 rtt:72.767/4.751 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:187 ssthresh:187 bytes_sent:5373989 bytes_acked:5242918 segs_out:3734 segs_in:2531 data_segs_out:3732 send 29769099bps lastsnd:11 lastrcv:8440 lastack:145 pacing_rate 35722672bps delivery_rate 25043808bps delivered:3642 app_limited busy:3188ms unacked:91 rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:983040
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:9520 lastrcv:9400 lastack:9400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      0           10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb165888,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:273 rtt:72.767/4.751 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:187 ssthresh:187 bytes_sent:5898277 bytes_acked:5898278 segs_out:4098 segs_in:2836 data_segs_out:4096 send 29769099bps lastsnd:172 lastrcv:9440 lastack:96 pacing_rate 35722672bps delivery_rate 25043808bps delivered:4097 app_limited busy:3557ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:983040
