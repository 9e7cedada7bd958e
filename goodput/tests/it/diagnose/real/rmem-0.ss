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
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:440 lastrcv:200 lastack:200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:43392
ESTAB 0      173760      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb184320,f2240,w194368,o0,bl0,d0) cubic wscale:7,10 rto:284 rtt:83.475/2.226 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:40 bytes_sent:95605 bytes_acked:43478 segs_out:69 segs_in:26 data_segs_out:67 send 5550883bps lastsnd:29 lastrcv:280 lastack:29 pacing_rate 11101696bps delivery_rate 2689976bps delivered:32 busy:280ms rwnd_limited:30ms(10.7%) unacked:36 rcv_space:14480 rcv_ssthresh:64088 notsent:121632 minrtt:80 snd_wnd:52608
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:1440 lastrcv:1200 lastack:1200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:43392
ESTAB 0      304080      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb331776,f2608,w329168,o0,bl0,d0) cubic wscale:7,10 rto:281 rtt:80.59/0.001 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:72 bytes_sent:721141 bytes_acked:669014 segs_out:501 segs_in:242 data_segs_out:499 send 10349274bps lastsnd:52 lastrcv:1280 lastack:52 pacing_rate 20698544bps delivery_rate 5174632bps delivered:464 busy:1280ms rwnd_limited:1030ms(80.5%) unacked:36 rcv_space:14480 rcv_ssthresh:64088 notsent:251952 minrtt:80 snd_wnd:52608
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:2440 lastrcv:2200 lastack:2200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:43392
ESTAB 0      278016      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb331776,f896,w302208,o0,bl0,d0) cubic wscale:7,10 rto:281 rtt:80.589/0 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:72 bytes_sent:1398805 bytes_acked:1346678 segs_out:969 segs_in:476 data_segs_out:967 send 10349403bps lastsnd:5 lastrcv:2280 lastack:5 pacing_rate 20698576bps delivery_rate 5174632bps delivered:932 busy:2280ms rwnd_limited:2030ms(89.0%) unacked:36 rcv_space:14480 rcv_ssthresh:64088 notsent:225888 minrtt:80 snd_wnd:52608
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:3440 lastrcv:3200 lastack:3200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:43392
ESTAB 0      304080      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb331776,f2608,w329168,o0,bl0,d0) cubic wscale:7,10 rto:281 rtt:80.59/0.001 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:72 bytes_sent:2024341 bytes_acked:1972214 segs_out:1401 segs_in:692 data_segs_out:1399 send 10349274bps lastsnd:38 lastrcv:3280 lastack:38 pacing_rate 20698544bps delivery_rate 5174632bps delivered:1364 busy:3280ms rwnd_limited:3030ms(92.4%) unacked:36 rcv_space:14480 rcv_ssthresh:64088 notsent:251952 minrtt:80 snd_wnd:52608
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:4440 lastrcv:4200 lastack:4200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:43392
ESTAB 0      304080      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb331776,f2608,w329168,o0,bl0,d0) cubic wscale:7,10 rto:281 rtt:80.59/0 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:72 bytes_sent:2675941 bytes_acked:2623814 segs_out:1851 segs_in:917 data_segs_out:1849 send 10349274bps lastsnd:1 lastrcv:4280 lastack:1 pacing_rate 20698544bps delivery_rate 5174632bps delivered:1814 busy:4280ms rwnd_limited:4030ms(94.2%) unacked:36 rcv_space:14480 rcv_ssthresh:64088 notsent:251952 minrtt:80 snd_wnd:52608
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:5440 lastrcv:5200 lastack:5200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:43392
ESTAB 0      304080      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb331776,f2608,w329168,o0,bl0,d0) cubic wscale:7,10 rto:281 rtt:80.59/0.001 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:72 bytes_sent:3327541 bytes_acked:3275414 segs_out:2301 segs_in:1142 data_segs_out:2299 send 10349274bps lastsnd:23 lastrcv:5280 lastack:23 pacing_rate 20698544bps delivery_rate 5174632bps delivered:2264 busy:5280ms rwnd_limited:5030ms(95.3%) unacked:36 rcv_space:14480 rcv_ssthresh:64088 notsent:251952 minrtt:80 snd_wnd:52608
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:6440 lastrcv:6200 lastack:6200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:43392
ESTAB 0      199824      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb331776,f3952,w221328,o0,bl0,d0) cubic wscale:7,10 rto:281 rtt:80.59/0 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:72 bytes_sent:3953077 bytes_acked:3900950 segs_out:2733 segs_in:1358 data_segs_out:2731 send 10349274bps lastsnd:56 lastrcv:6280 lastack:56 pacing_rate 20698544bps delivery_rate 5174632bps delivered:2696 busy:6280ms rwnd_limited:6030ms(96.0%) unacked:36 rcv_space:14480 rcv_ssthresh:64088 notsent:147696 minrtt:80 snd_wnd:52608
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:7440 lastrcv:7200 lastack:7200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:43392
ESTAB 0      304080      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb331776,f2608,w329168,o0,bl0,d0) cubic wscale:7,10 rto:281 rtt:80.59/0.001 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:72 bytes_sent:4630741 bytes_acked:4578614 segs_out:3201 segs_in:1592 data_segs_out:3199 send 10349274bps lastsnd:8 lastrcv:7280 lastack:8 pacing_rate 20698544bps delivery_rate 5174632bps delivered:3164 busy:7280ms rwnd_limited:7030ms(96.6%) unacked:36 rcv_space:14480 rcv_ssthresh:64088 notsent:251952 minrtt:80 snd_wnd:52608
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:8440 lastrcv:8200 lastack:8200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:43392
ESTAB 0      199824      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb331776,f3952,w221328,o0,bl0,d0) cubic wscale:7,10 rto:281 rtt:80.59/0 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:72 bytes_sent:5256277 bytes_acked:5204150 segs_out:3633 segs_in:1808 data_segs_out:3631 send 10349274bps lastsnd:41 lastrcv:8280 lastack:41 pacing_rate 20698544bps delivery_rate 5174632bps delivered:3596 busy:8280ms rwnd_limited:8030ms(97.0%) unacked:36 rcv_space:14480 rcv_ssthresh:64088 notsent:147696 minrtt:80 snd_wnd:52608
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:9440 lastrcv:9200 lastack:9200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:43392
ESTAB 0      321456      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb331776,f720,w347440,o0,bl0,d0) cubic wscale:7,10 rto:281 rtt:80.59/0.001 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:72 bytes_sent:5916565 bytes_acked:5864438 segs_out:4089 segs_in:2036 data_segs_out:4087 send 10349274bps lastsnd:1 lastrcv:9280 lastack:1 pacing_rate 20698544bps delivery_rate 5174632bps delivered:4052 busy:9280ms rwnd_limited:9030ms(97.3%) unacked:36 rcv_space:14480 rcv_ssthresh:64088 notsent:269328 minrtt:80 snd_wnd:52608
