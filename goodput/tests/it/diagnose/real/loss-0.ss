$ sysctl net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.ipv4.tcp_congestion_control net.ipv4.tcp_window_scaling net.ipv4.tcp_mtu_probing net.ipv4.tcp_ecn
net.ipv4.tcp_rmem = 4096	131072	33554432
net.ipv4.tcp_wmem = 4096	16384	4194304
net.ipv4.tcp_congestion_control = cubic
net.ipv4.tcp_window_scaling = 1
net.ipv4.tcp_mtu_probing = 0
net.ipv4.tcp_ecn = 2
$ while :; do ss -tinm dst 10.0.0.2; sleep 1; done
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:36970     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:520 lastrcv:400 lastack:400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      324352      10.0.0.1:36978     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb483840,f1664,w362880,o0,bl0,d0) cubic wscale:10,10 rto:241 rtt:40.206/0.21 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:47 ssthresh:37 bytes_sent:738517 bytes_retrans:7240 bytes_acked:640054 segs_out:513 segs_in:348 data_segs_out:511 send 13541461bps lastsnd:2 lastrcv:440 lastack:2 pacing_rate 21781176bps delivery_rate 14619744bps delivered:460 busy:440ms unacked:63 retrans:1/5 lost:1 sacked:16 rcv_space:14480 rcv_ssthresh:64088 notsent:233128 minrtt:40 snd_wnd:788480
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:36970     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:1520 lastrcv:1400 lastack:1400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      440192      10.0.0.1:36978     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb483840,f1536,w457216,o0,bl0,d0) cubic wscale:10,10 rto:241 rtt:40.028/0.054 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:15 ssthresh:10 bytes_sent:1406045 bytes_retrans:13032 bytes_acked:1371294 segs_out:974 segs_in:837 data_segs_out:972 send 4340961bps lastsnd:7 lastrcv:1440 lastack:7 pacing_rate 5209136bps delivery_rate 4054400bps delivered:949 busy:1440ms unacked:15 retrans:0/9 rcv_space:14480 rcv_ssthresh:64088 notsent:418472 minrtt:40 snd_wnd:2201600
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:36970     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:2520 lastrcv:2400 lastack:2400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      487976      10.0.0.1:36978     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb483840,f1496,w502312,o0,bl0,d0) cubic wscale:10,10 rto:242 rtt:41.803/2.317 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:13 ssthresh:10 bytes_sent:1946149 bytes_retrans:17376 bytes_acked:1909950 segs_out:1347 segs_in:1045 data_segs_out:1345 send 3602421bps lastsnd:4 lastrcv:2440 lastack:4 pacing_rate 4322872bps delivery_rate 3728072bps delivered:1321 busy:2440ms unacked:13 retrans:0/12 rcv_space:14480 rcv_ssthresh:64088 notsent:469152 minrtt:40 snd_wnd:2202624
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:36970     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:3520 lastrcv:3400 lastack:3400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      443088      10.0.0.1:36978     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb483840,f816,w453840,o0,bl0,d0) cubic wscale:10,10 rto:242 rtt:41.335/1.554 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:9 ssthresh:8 bytes_sent:2381997 bytes_retrans:23168 bytes_acked:2345798 segs_out:1648 segs_in:1218 data_segs_out:1646 send 2522221bps lastsnd:9 lastrcv:3440 lastack:9 pacing_rate 3026608bps delivery_rate 2581040bps delivered:1622 busy:3440ms unacked:9 retrans:0/16 rcv_space:14480 rcv_ssthresh:64088 notsent:430056 minrtt:40 snd_wnd:2202624
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:36970     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:4520 lastrcv:4400 lastack:4400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      422816      10.0.0.1:36978     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb483840,f1504,w432672,o0,bl0,d0) cubic wscale:10,10 rto:243 rtt:42.544/3.979 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:7 ssthresh:4 bytes_sent:2602093 bytes_retrans:30408 bytes_acked:2561550 segs_out:1800 segs_in:1308 data_segs_out:1798 send 1905980bps lastsnd:5 lastrcv:4440 lastack:5 pacing_rate 2287136bps delivery_rate 1702688bps delivered:1771 busy:4440ms unacked:7 retrans:0/21 rcv_space:14480 rcv_ssthresh:64088 notsent:412680 minrtt:40 snd_wnd:2202624
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:36970     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:5520 lastrcv:5400 lastack:5400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      372136      10.0.0.1:36978     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb483840,f2136,w382888,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:43.914/6.113 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:6 ssthresh:6 bytes_sent:2862733 bytes_retrans:34752 bytes_acked:2807710 segs_out:1980 segs_in:1415 data_segs_out:1978 send 1582730bps lastsnd:36 lastrcv:5440 lastack:36 pacing_rate 3798512bps delivery_rate 2259736bps delivered:1949 busy:5440ms unacked:14 retrans:1/24 lost:1 sacked:8 rcv_space:14480 rcv_ssthresh:64088 notsent:351864 minrtt:40 snd_wnd:2202624
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:36970     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:6520 lastrcv:6400 lastack:6400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      456120      10.0.0.1:36978     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb483840,f3272,w467768,o0,bl0,d0) cubic wscale:10,10 rto:242 rtt:41.392/1.617 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:9 ssthresh:6 bytes_sent:3165365 bytes_retrans:37648 bytes_acked:3114686 segs_out:2189 segs_in:1532 data_segs_out:2187 send 2518748bps lastsnd:28 lastrcv:6440 lastack:28 pacing_rate 3022440bps delivery_rate 2294200bps delivered:2153 busy:6440ms unacked:9 retrans:0/26 rcv_space:14480 rcv_ssthresh:64088 notsent:443088 minrtt:40 snd_wnd:2202624
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:36970     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:7520 lastrcv:7400 lastack:7400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      334488      10.0.0.1:36978     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb483840,f3816,w344344,o0,bl0,d0) cubic wscale:10,10 rto:242 rtt:41.906/2.316 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:11 ssthresh:8 bytes_sent:3488269 bytes_retrans:40544 bytes_acked:3431798 segs_out:2412 segs_in:1656 data_segs_out:2410 send 3040710bps lastsnd:18 lastrcv:7440 lastack:18 pacing_rate 3648824bps delivery_rate 3123056bps delivered:2372 busy:7440ms unacked:11 retrans:0/28 rcv_space:14480 rcv_ssthresh:64088 notsent:318560 minrtt:40 snd_wnd:2202624
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:36970     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:8520 lastrcv:8400 lastack:8400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      503904      10.0.0.1:36978     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb483840,f160,w520032,o0,bl0,d0) cubic wscale:10,10 rto:241 rtt:40.755/0.4 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:16 ssthresh:16 bytes_sent:4109461 bytes_retrans:41992 bytes_acked:4044302 segs_out:2841 segs_in:1880 data_segs_out:2839 send 4547761bps lastsnd:4 lastrcv:8440 lastack:4 pacing_rate 5457256bps delivery_rate 5423352bps delivered:2795 busy:8440ms unacked:16 retrans:0/29 rcv_space:14480 rcv_ssthresh:64088 notsent:480736 minrtt:40 snd_wnd:2201600
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:36970     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:40/11.25 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2896000bps lastsnd:9520 lastrcv:9400 lastack:9400 pacing_rate 5791976bps delivery_rate 579184bps delivered:4 app_limited busy:80ms rcv_space:14480 rcv_ssthresh:64088 minrtt:40 snd_wnd:65536
ESTAB 0      470600      10.0.0.1:36978     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb483840,f184,w483144,o0,bl0,d0) cubic wscale:10,10 rto:242 rtt:41.456/1.613 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:11 ssthresh:7 bytes_sent:4530829 bytes_retrans:46336 bytes_acked:4468566 segs_out:3132 segs_in:2042 data_segs_out:3130 send 3073717bps lastrcv:9440 pacing_rate 3688392bps delivery_rate 2867752bps delivered:3088 busy:9440ms unacked:11 retrans:0/32 rcv_space:14480 rcv_ssthresh:64088 notsent:454672 minrtt:40 snd_wnd:2202624
