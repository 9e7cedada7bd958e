$ sysctl net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.ipv4.tcp_congestion_control net.ipv4.tcp_window_scaling net.ipv4.tcp_mtu_probing net.ipv4.tcp_ecn
net.ipv4.tcp_rmem = 4096	131072	33554432
net.ipv4.tcp_wmem = 4096	16384	4194304
net.ipv4.tcp_congestion_control = cubic
net.ipv4.tcp_window_scaling = 1
net.ipv4.tcp_mtu_probing = 0
net.ipv4.tcp_ecn = 2
$ while :; do ss -tinm dst 10.0.0.2; sleep 1; done
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q  Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                         
ESTAB 0      0            10.0.0.1:46152     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:395 rtt:137.834/38.81 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:182 bytes_acked:183 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 840431bps lastsnd:675 lastrcv:261 lastack:261 pacing_rate 1680856bps delivery_rate 167912bps delivered:4 app_limited busy:276ms rcv_space:14480 rcv_ssthresh:64088 minrtt:137.806 snd_wnd:65536
ESTAB 0      2014168      10.0.0.1:46154     10.0.0.2:5201
	 skmem:(r0,rb2000896,t0,tb2000896,f1192,w2050904,o0,bl0,d0) cubic wscale:4,4 rto:399 rtt:141.863/6.823 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:20 bytes_sent:43477 bytes_acked:14518 segs_out:33 segs_in:12 data_segs_out:31 send 1633125bps lastsnd:115 lastrcv:399 lastack:115 pacing_rate 3266224bps delivery_rate 792240bps delivered:12 app_limited busy:399ms unacked:20 rcv_space:14480 rcv_ssthresh:999000 notsent:1985208 minrtt:137.807 snd_wnd:1027968
State Recv-Q Send-Q  Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0            10.0.0.1:46152     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:395 rtt:137.834/38.81 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:182 bytes_acked:183 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 840431bps lastsnd:1675 lastrcv:1261 lastack:1261 pacing_rate 1680856bps delivery_rate 167912bps delivered:4 app_limited busy:276ms rcv_space:14480 rcv_ssthresh:64088 minrtt:137.806 snd_wnd:65536
ESTAB 0      1565288      10.0.0.1:46154     10.0.0.2:5201
	 skmem:(r0,rb2000896,t0,tb2000896,f2584,w1709544,o0,bl0,d0) cubic wscale:4,4 rto:426 rtt:217.831/0.789 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:271 ssthresh:242 bytes_sent:1572565 bytes_acked:1180158 segs_out:1089 segs_in:461 data_segs_out:1087 send 14411466bps lastsnd:2 lastrcv:1399 lastack:2 pacing_rate 17293728bps delivery_rate 13679760bps delivered:817 busy:1399ms unacked:271 rcv_space:14480 rcv_ssthresh:999000 notsent:1172880 minrtt:137.807 snd_wnd:1048560
State Recv-Q Send-Q  Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0            10.0.0.1:46152     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:395 rtt:137.834/38.81 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:182 bytes_acked:183 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 840431bps lastsnd:2675 lastrcv:2261 lastack:2261 pacing_rate 1680856bps delivery_rate 167912bps delivered:4 app_limited busy:276ms rcv_space:14480 rcv_ssthresh:64088 minrtt:137.806 snd_wnd:65536
ESTAB 0      1287272      10.0.0.1:46154     10.0.0.2:5201
	 skmem:(r0,rb2000896,t0,tb2000896,f664,w1457512,o0,bl0,d0) cubic wscale:4,4 rto:468 rtt:265.533/0.61 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:330 ssthresh:242 bytes_sent:3369533 bytes_acked:2891694 segs_out:2330 segs_in:1087 data_segs_out:2328 send 14396403bps lastsnd:1 lastrcv:2399 lastack:1 pacing_rate 17275648bps delivery_rate 13679688bps delivered:1999 busy:2399ms unacked:330 rcv_space:14480 rcv_ssthresh:999000 notsent:809432 minrtt:137.807 snd_wnd:1048560
State Recv-Q Send-Q  Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0            10.0.0.1:46152     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:395 rtt:137.834/38.81 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:182 bytes_acked:183 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 840431bps lastsnd:3675 lastrcv:3261 lastack:3261 pacing_rate 1680856bps delivery_rate 167912bps delivered:4 app_limited busy:276ms rcv_space:14480 rcv_ssthresh:64088 minrtt:137.806 snd_wnd:65536
ESTAB 0      1491440      10.0.0.1:46154     10.0.0.2:5201
	 skmem:(r0,rb2000896,t0,tb2000896,f2576,w1684976,o0,bl0,d0) cubic wscale:4,4 rto:502 rtt:300.36/0.48 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:260 ssthresh:260 bytes_sent:5001429 bytes_retrans:24616 bytes_acked:4121046 segs_out:3457 segs_in:1713 data_segs_out:3455 send 10027434bps lastsnd:1 lastrcv:3399 lastack:1 pacing_rate 27259152bps delivery_rate 13671560bps delivered:3179 busy:3399ms unacked:591 retrans:17/17 lost:17 sacked:331 rcv_space:14480 rcv_ssthresh:999000 notsent:635672 minrtt:137.807 snd_wnd:1048560
State Recv-Q Send-Q  Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0            10.0.0.1:46152     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:395 rtt:137.834/38.81 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:182 bytes_acked:183 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 840431bps lastsnd:4675 lastrcv:4261 lastack:4261 pacing_rate 1680856bps delivery_rate 167912bps delivered:4 app_limited busy:276ms rcv_space:14480 rcv_ssthresh:64088 minrtt:137.806 snd_wnd:65536
ESTAB 0      1450896      10.0.0.1:46154     10.0.0.2:5201
	 skmem:(r0,rb2000896,t0,tb2000896,f3312,w1602320,o0,bl0,d0) cubic wscale:4,4 rto:439 rtt:238.149/0.575 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:291 ssthresh:260 bytes_sent:6759301 bytes_retrans:26064 bytes_acked:6311870 segs_out:4671 segs_in:2344 data_segs_out:4669 send 14154769bps lastsnd:1 lastrcv:4399 lastack:1 pacing_rate 16985720bps delivery_rate 13679712bps delivered:4361 busy:4399ms unacked:291 retrans:0/18 rcv_space:14480 rcv_ssthresh:999000 notsent:1029528 minrtt:137.807 snd_wnd:1048560
State Recv-Q Send-Q  Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0            10.0.0.1:46152     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:395 rtt:137.834/38.81 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:182 bytes_acked:183 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 840431bps lastsnd:5675 lastrcv:5261 lastack:5261 pacing_rate 1680856bps delivery_rate 167912bps delivered:4 app_limited busy:276ms rcv_space:14480 rcv_ssthresh:64088 minrtt:137.806 snd_wnd:65536
ESTAB 0      1174328      10.0.0.1:46154     10.0.0.2:5201
	 skmem:(r0,rb2000896,t0,tb2000896,f1096,w1338296,o0,bl0,d0) cubic wscale:4,4 rto:469 rtt:268.085/0.458 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:325 ssthresh:260 bytes_sent:8518621 bytes_retrans:26064 bytes_acked:8021958 segs_out:5886 segs_in:2963 data_segs_out:5884 send 14043307bps lastsnd:1 lastrcv:5399 lastack:1 pacing_rate 16851936bps delivery_rate 13679760bps delivered:5542 busy:5399ms unacked:325 retrans:0/18 rcv_space:14480 rcv_ssthresh:999000 notsent:703728 minrtt:137.807 snd_wnd:1048560
State Recv-Q Send-Q  Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0            10.0.0.1:46152     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:395 rtt:137.834/38.81 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:182 bytes_acked:183 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 840431bps lastsnd:6675 lastrcv:6261 lastack:6261 pacing_rate 1680856bps delivery_rate 167912bps delivered:4 app_limited busy:276ms rcv_space:14480 rcv_ssthresh:64088 minrtt:137.806 snd_wnd:65536
ESTAB 0      1615968      10.0.0.1:46154     10.0.0.2:5201
	 skmem:(r0,rb2000896,t0,tb2000896,f2592,w1799648,o0,bl0,d0) cubic wscale:4,4 rto:490 rtt:289.712/0.199 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:348 ssthresh:260 bytes_sent:10260565 bytes_retrans:26064 bytes_acked:9730598 segs_out:7089 segs_in:3596 data_segs_out:7087 send 13914619bps lastsnd:1 lastrcv:6399 lastack:1 pacing_rate 16697536bps delivery_rate 13679760bps delivered:6722 busy:6399ms unacked:348 retrans:0/18 rcv_space:14480 rcv_ssthresh:999000 notsent:1112064 minrtt:137.807 snd_wnd:1048560
State Recv-Q Send-Q  Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0            10.0.0.1:46152     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:395 rtt:137.834/38.81 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:182 bytes_acked:183 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 840431bps lastsnd:7675 lastrcv:7261 lastack:7261 pacing_rate 1680856bps delivery_rate 167912bps delivered:4 app_limited busy:276ms rcv_space:14480 rcv_ssthresh:64088 minrtt:137.806 snd_wnd:65536
ESTAB 0      1834616      10.0.0.1:46154     10.0.0.2:5201
	 skmem:(r0,rb2000896,t0,tb2000896,f904,w2010232,o0,bl0,d0) cubic wscale:4,4 rto:498 rtt:297.178/0.996 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:251 ssthresh:251 bytes_sent:11838885 bytes_retrans:33304 bytes_acked:11010630 segs_out:8179 segs_in:4220 data_segs_out:8177 send 9783981bps lastrcv:7399 pacing_rate 25586408bps delivery_rate 13363104bps delivered:7904 busy:7399ms unacked:549 retrans:4/23 lost:4 sacked:298 rcv_space:14480 rcv_ssthresh:999000 notsent:1039664 minrtt:137.807 snd_wnd:1048560
State Recv-Q Send-Q  Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0            10.0.0.1:46152     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:395 rtt:137.834/38.81 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:182 bytes_acked:183 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 840431bps lastsnd:8675 lastrcv:8261 lastack:8261 pacing_rate 1680856bps delivery_rate 167912bps delivered:4 app_limited busy:276ms rcv_space:14480 rcv_ssthresh:64088 minrtt:137.806 snd_wnd:65536
ESTAB 0      1909912      10.0.0.1:46154     10.0.0.2:5201
	 skmem:(r0,rb2000896,t0,tb2000896,f2536,w2057752,o0,bl0,d0) cubic wscale:4,4 rto:426 rtt:225.197/0.099 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:271 ssthresh:251 bytes_sent:13576485 bytes_retrans:33304 bytes_acked:13150774 segs_out:9379 segs_in:4823 data_segs_out:9377 send 13940079bps lastsnd:1 lastrcv:8399 lastack:1 pacing_rate 16728048bps delivery_rate 13679720bps delivered:9084 busy:8399ms unacked:271 retrans:0/23 rcv_space:14480 rcv_ssthresh:999000 notsent:1517504 minrtt:137.807 snd_wnd:1048560
State Recv-Q Send-Q  Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0            10.0.0.1:46152     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:395 rtt:137.834/38.81 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:182 bytes_acked:183 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 840431bps lastsnd:9675 lastrcv:9261 lastack:9261 pacing_rate 1680856bps delivery_rate 167912bps delivered:4 app_limited busy:276ms rcv_space:14480 rcv_ssthresh:64088 minrtt:137.806 snd_wnd:65536
ESTAB 0      1633344      10.0.0.1:46154     10.0.0.2:5201
	 skmem:(r0,rb2000896,t0,tb2000896,f192,w1785664,o0,bl0,d0) cubic wscale:4,4 rto:442 rtt:241.906/0.402 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:290 ssthresh:251 bytes_sent:15314085 bytes_retrans:33304 bytes_acked:14860862 segs_out:10579 segs_in:5434 data_segs_out:10577 send 13887047bps lastsnd:1 lastrcv:9399 lastack:1 pacing_rate 16664408bps delivery_rate 13679720bps delivered:10265 busy:9399ms unacked:290 retrans:0/23 rcv_space:14480 rcv_ssthresh:999000 notsent:1213424 minrtt:137.807 snd_wnd:1048560
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      278         10.0.0.1:46152     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f2026,w2070,o0,bl0,d0) cubic wscale:10,10 rto:403 rtt:152.138/57.716 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:461 bytes_acked:184 bytes_received:5 segs_out:13 segs_in:8 data_segs_out:6 data_segs_in:5 send 761414bps lastsnd:9 lastrcv:9 lastack:9 pacing_rate 1522824bps delivery_rate 167912bps delivered:5 app_limited busy:537ms unacked:2 rcv_space:14480 rcv_ssthresh:64088 minrtt:137.806 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
