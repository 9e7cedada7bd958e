$ sysctl net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.ipv4.tcp_congestion_control net.ipv4.tcp_window_scaling net.ipv4.tcp_mtu_probing net.ipv4.tcp_ecn
net.ipv4.tcp_rmem = 4096	131072	33554432
net.ipv4.tcp_wmem = 4096	16384	4194304
net.ipv4.tcp_congestion_control = cubic
net.ipv4.tcp_window_scaling = 1
net.ipv4.tcp_mtu_probing = 0
net.ipv4.tcp_ecn = 1
$ while :; do ss -tinm dst 10.0.0.2; sleep 1; done
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:11.4/3.307 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 10161404bps lastsnd:928 lastrcv:893 lastack:893 pacing_rate 20321688bps delivery_rate 1976960bps delivered:4 app_limited busy:23ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.337 snd_wnd:65536
ESTAB 0      120184      10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb133632,f2824,w128248,o0,bl0,d0) cubic wscale:10,10 rto:222 rtt:21.83/1.003 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:12 ssthresh:9 bytes_sent:651637 bytes_acked:634262 segs_out:453 segs_in:268 data_segs_out:451 send 6367751bps lastsnd:1 lastrcv:904 lastack:1 pacing_rate 7641120bps delivery_rate 5766568bps delivered:440 delivered_ce:90 busy:904ms unacked:12 rcv_space:14480 rcv_ssthresh:64088 notsent:102808 minrtt:11.338 snd_wnd:167936
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:11.4/3.307 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 10161404bps lastsnd:1928 lastrcv:1893 lastack:1893 pacing_rate 20321688bps delivery_rate 1976960bps delivered:4 app_limited busy:23ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.337 snd_wnd:65536
ESTAB 0      136112      10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb133632,f2384,w145072,o0,bl0,d0) cubic wscale:10,10 rto:226 rtt:25.173/1.237 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:13 ssthresh:9 bytes_sent:1374189 bytes_acked:1355366 segs_out:952 segs_in:548 data_segs_out:950 send 5982283bps lastsnd:1 lastrcv:1904 lastack:1 pacing_rate 7178632bps delivery_rate 5766272bps delivered:938 delivered_ce:145 busy:1904ms unacked:13 rcv_space:14480 rcv_ssthresh:64088 notsent:117288 minrtt:11.338 snd_wnd:167936
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:11.4/3.307 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 10161404bps lastsnd:2928 lastrcv:2893 lastack:2893 pacing_rate 20321688bps delivery_rate 1976960bps delivered:4 app_limited busy:23ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.337 snd_wnd:65536
ESTAB 0      146248      10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb133632,f1336,w154312,o0,bl0,d0) cubic wscale:10,10 rto:222 rtt:21.035/1.25 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 ssthresh:9 bytes_sent:2090949 bytes_acked:2076470 segs_out:1447 segs_in:828 data_segs_out:1445 send 5507012bps lastsnd:1 lastrcv:2904 lastack:1 pacing_rate 6608216bps delivery_rate 5766048bps delivered:1436 delivered_ce:207 busy:2904ms unacked:10 rcv_space:14480 rcv_ssthresh:64088 notsent:131768 minrtt:11.338 snd_wnd:167936
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:11.4/3.307 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 10161404bps lastsnd:3928 lastrcv:3893 lastack:3893 pacing_rate 20321688bps delivery_rate 1976960bps delivered:4 app_limited busy:23ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.337 snd_wnd:65536
ESTAB 0      89776       10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb133632,f464,w97840,o0,bl0,d0) cubic wscale:10,10 rto:222 rtt:21.499/0.942 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:12 ssthresh:9 bytes_sent:2814949 bytes_acked:2797574 segs_out:1947 segs_in:1107 data_segs_out:1945 send 6465789bps lastrcv:3904 pacing_rate 7758760bps delivery_rate 5766568bps delivered:1934 delivered_ce:259 busy:3904ms unacked:12 rcv_space:14480 rcv_ssthresh:64088 notsent:72400 minrtt:11.338 snd_wnd:167936
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:11.4/3.307 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 10161404bps lastsnd:4928 lastrcv:4893 lastack:4893 pacing_rate 20321688bps delivery_rate 1976960bps delivered:4 app_limited busy:23ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.337 snd_wnd:65536
ESTAB 0      105704      10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb133632,f920,w113768,o0,bl0,d0) cubic wscale:10,10 rto:226 rtt:25.074/1.566 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:13 ssthresh:9 bytes_sent:3534605 bytes_acked:3515782 segs_out:2444 segs_in:1385 data_segs_out:2442 send 6005903bps lastsnd:4 lastrcv:4904 lastack:4 pacing_rate 7206968bps delivery_rate 5766488bps delivered:2430 delivered_ce:311 busy:4904ms unacked:13 rcv_space:14480 rcv_ssthresh:64088 notsent:86880 minrtt:11.338 snd_wnd:167936
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:11.4/3.307 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 10161404bps lastsnd:5928 lastrcv:5893 lastack:5893 pacing_rate 20321688bps delivery_rate 1976960bps delivered:4 app_limited busy:23ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.337 snd_wnd:65536
ESTAB 0      115840      10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb133632,f768,w122112,o0,bl0,d0) cubic wscale:10,10 rto:222 rtt:21.379/1.56 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 ssthresh:9 bytes_sent:4251365 bytes_acked:4236886 segs_out:2939 segs_in:1668 data_segs_out:2937 send 5418401bps lastsnd:4 lastrcv:5904 lastack:4 pacing_rate 6501848bps delivery_rate 5766624bps delivered:2928 delivered_ce:376 busy:5904ms unacked:10 rcv_space:14480 rcv_ssthresh:64088 notsent:101360 minrtt:11.338 snd_wnd:167936
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:11.4/3.307 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 10161404bps lastsnd:6928 lastrcv:6893 lastack:6893 pacing_rate 20321688bps delivery_rate 1976960bps delivered:4 app_limited busy:23ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.337 snd_wnd:65536
ESTAB 0      127424      10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb133632,f576,w134592,o0,bl0,d0) cubic wscale:10,10 rto:222 rtt:21.651/1.231 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:12 ssthresh:9 bytes_sent:4975365 bytes_acked:4957990 segs_out:3439 segs_in:1947 data_segs_out:3437 send 6420396bps lastsnd:3 lastrcv:6904 lastack:3 pacing_rate 7704248bps delivery_rate 5766568bps delivered:3426 delivered_ce:428 busy:6904ms unacked:12 rcv_space:14480 rcv_ssthresh:64088 notsent:110048 minrtt:11.338 snd_wnd:167936
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:11.4/3.307 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 10161404bps lastsnd:7928 lastrcv:7893 lastack:7893 pacing_rate 20321688bps delivery_rate 1976960bps delivered:4 app_limited busy:23ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.337 snd_wnd:65536
ESTAB 0      139008      10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb133632,f3584,w147968,o0,bl0,d0) cubic wscale:10,10 rto:226 rtt:25.273/1.337 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:13 ssthresh:9 bytes_sent:5699365 bytes_acked:5680542 segs_out:3939 segs_in:2228 data_segs_out:3937 send 5958612bps lastsnd:1 lastrcv:7904 lastack:1 pacing_rate 7150224bps delivery_rate 5766488bps delivered:3925 delivered_ce:480 busy:7904ms unacked:13 rcv_space:14480 rcv_ssthresh:64088 notsent:120184 minrtt:11.338 snd_wnd:167936
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:11.4/3.307 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 10161404bps lastsnd:8928 lastrcv:8893 lastack:8893 pacing_rate 20321688bps delivery_rate 1976960bps delivered:4 app_limited busy:23ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.337 snd_wnd:65536
ESTAB 0      86880       10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb133632,f160,w94048,o0,bl0,d0) cubic wscale:10,10 rto:222 rtt:21.211/1.303 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 ssthresh:9 bytes_sent:6414677 bytes_acked:6400198 segs_out:4433 segs_in:2507 data_segs_out:4431 send 5461317bps lastsnd:2 lastrcv:8904 lastack:2 pacing_rate 6553536bps delivery_rate 5766336bps delivered:4422 delivered_ce:545 busy:8904ms unacked:10 rcv_space:14480 rcv_ssthresh:64088 notsent:72400 minrtt:11.338 snd_wnd:167936
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:11.4/3.307 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 10161404bps lastsnd:9928 lastrcv:9893 lastack:9893 pacing_rate 20321688bps delivery_rate 1976960bps delivered:4 app_limited busy:23ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.337 snd_wnd:65536
ESTAB 0      97016       10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb133632,f1416,w105080,o0,bl0,d0) cubic wscale:10,10 rto:222 rtt:21.411/1.143 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:12 ssthresh:9 bytes_sent:7138677 bytes_acked:7121302 segs_out:4933 segs_in:2787 data_segs_out:4931 send 6492364bps lastsnd:2 lastrcv:9904 lastack:2 pacing_rate 7790512bps delivery_rate 5766568bps delivered:4920 delivered_ce:597 busy:9904ms unacked:12 rcv_space:14480 rcv_ssthresh:64088 notsent:79640 minrtt:11.338 snd_wnd:167936
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
