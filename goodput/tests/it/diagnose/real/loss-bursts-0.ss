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
ESTAB 0      0           10.0.0.1:45462     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:247 rtt:46.194/13.011 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2507685bps lastsnd:858 lastrcv:719 lastack:719 pacing_rate 5015288bps delivery_rate 500896bps delivered:4 app_limited busy:92ms rcv_space:14480 rcv_ssthresh:64088 minrtt:46.183 snd_wnd:65536
ESTAB 0      557480      10.0.0.1:45476     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb709632,f728,w601384,o0,bl0,d0) cubic wscale:10,10 rto:248 rtt:47.014/0.223 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:79 ssthresh:74 bytes_sent:1713021 bytes_retrans:4344 bytes_acked:1594286 segs_out:1186 segs_in:734 data_segs_out:1184 send 19465181bps lastsnd:1 lastrcv:766 lastack:1 pacing_rate 23358216bps delivery_rate 19266728bps delivered:1103 busy:766ms unacked:79 retrans:0/3 rcv_space:14480 rcv_ssthresh:64088 notsent:443088 minrtt:46.183 snd_wnd:1064960
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:45462     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:247 rtt:46.194/13.011 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2507685bps lastsnd:1858 lastrcv:1719 lastack:1719 pacing_rate 5015288bps delivery_rate 500896bps delivered:4 app_limited busy:92ms rcv_space:14480 rcv_ssthresh:64088 minrtt:46.183 snd_wnd:65536
ESTAB 0      628432      10.0.0.1:45476     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb709632,f2352,w657104,o0,bl0,d0) cubic wscale:10,10 rto:247 rtt:46.903/0.01 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:46 ssthresh:40 bytes_sent:3163917 bytes_retrans:10136 bytes_acked:3087174 segs_out:2188 segs_in:1277 data_segs_out:2186 send 11360979bps lastsnd:2 lastrcv:1766 lastack:2 pacing_rate 13632920bps delivery_rate 11361944bps delivered:2134 busy:1766ms unacked:46 retrans:0/7 rcv_space:14480 rcv_ssthresh:64088 notsent:561824 minrtt:46 snd_wnd:1065984
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:45462     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:247 rtt:46.194/13.011 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2507685bps lastsnd:2858 lastrcv:2719 lastack:2719 pacing_rate 5015288bps delivery_rate 500896bps delivered:4 app_limited busy:92ms rcv_space:14480 rcv_ssthresh:64088 minrtt:46.183 snd_wnd:65536
ESTAB 0      569064      10.0.0.1:45476     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb709632,f3352,w590568,o0,bl0,d0) cubic wscale:10,10 rto:248 rtt:47.827/1.62 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:28 ssthresh:26 bytes_sent:4244125 bytes_retrans:14480 bytes_acked:4189102 segs_out:2934 segs_in:1681 data_segs_out:2932 send 6781776bps lastsnd:4 lastrcv:2766 lastack:4 pacing_rate 8138024bps delivery_rate 6916112bps delivered:2895 busy:2766ms unacked:28 retrans:0/10 rcv_space:14480 rcv_ssthresh:64088 notsent:528520 minrtt:46 snd_wnd:1065984
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:45462     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:247 rtt:46.194/13.011 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2507685bps lastsnd:3858 lastrcv:3719 lastack:3719 pacing_rate 5015288bps delivery_rate 500896bps delivered:4 app_limited busy:92ms rcv_space:14480 rcv_ssthresh:64088 minrtt:46.183 snd_wnd:65536
ESTAB 0      476392      10.0.0.1:45476     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb709632,f3096,w492520,o0,bl0,d0) cubic wscale:10,10 rto:248 rtt:47.178/0.331 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:19 ssthresh:19 bytes_sent:5111477 bytes_retrans:20272 bytes_acked:5063694 segs_out:3533 segs_in:2002 data_segs_out:3531 send 4665225bps lastsnd:10 lastrcv:3766 lastack:10 pacing_rate 5598264bps delivery_rate 4594040bps delivered:3499 busy:3766ms unacked:19 retrans:0/14 rcv_space:14480 rcv_ssthresh:64088 notsent:448880 minrtt:46 snd_wnd:1064960
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:45462     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:247 rtt:46.194/13.011 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2507685bps lastsnd:4858 lastrcv:4719 lastack:4719 pacing_rate 5015288bps delivery_rate 500896bps delivered:4 app_limited busy:92ms rcv_space:14480 rcv_ssthresh:64088 minrtt:46.183 snd_wnd:65536
ESTAB 0      515488      10.0.0.1:45476     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb709632,f2784,w537888,o0,bl0,d0) cubic wscale:10,10 rto:248 rtt:47.214/0.574 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:30 ssthresh:19 bytes_sent:5870229 bytes_retrans:20272 bytes_acked:5806518 segs_out:4057 segs_in:2273 data_segs_out:4055 send 7360529bps lastsnd:2 lastrcv:4766 lastack:2 pacing_rate 8832608bps delivery_rate 7162960bps delivered:4012 busy:4766ms unacked:30 retrans:0/14 rcv_space:14480 rcv_ssthresh:64088 notsent:472048 minrtt:46 snd_wnd:1065984
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:45462     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:247 rtt:46.194/13.011 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2507685bps lastsnd:5858 lastrcv:5719 lastack:5719 pacing_rate 5015288bps delivery_rate 500896bps delivered:4 app_limited busy:92ms rcv_space:14480 rcv_ssthresh:64088 minrtt:46.183 snd_wnd:65536
ESTAB 0      589336      10.0.0.1:45476     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb709632,f360,w609944,o0,bl0,d0) cubic wscale:10,10 rto:249 rtt:48.137/1.921 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:22 ssthresh:18 bytes_sent:6572509 bytes_retrans:26064 bytes_acked:6514590 segs_out:4542 segs_in:2556 data_segs_out:4540 send 5294223bps lastsnd:4 lastrcv:5766 lastack:4 pacing_rate 6353048bps delivery_rate 5186976bps delivered:4501 busy:5766ms unacked:22 retrans:0/18 rcv_space:14480 rcv_ssthresh:64088 notsent:557480 minrtt:46 snd_wnd:1065984
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:45462     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:247 rtt:46.194/13.011 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2507685bps lastsnd:6858 lastrcv:6719 lastack:6719 pacing_rate 5015288bps delivery_rate 500896bps delivered:4 app_limited busy:92ms rcv_space:14480 rcv_ssthresh:64088 minrtt:46.183 snd_wnd:65536
ESTAB 0      586440      10.0.0.1:45476     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb709632,f56,w606152,o0,bl0,d0) cubic wscale:10,10 rto:248 rtt:47.499/1.11 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:23 ssthresh:21 bytes_sent:7360221 bytes_retrans:27512 bytes_acked:7299406 segs_out:5086 segs_in:2842 data_segs_out:5084 send 5609213bps lastrcv:6766 pacing_rate 6730984bps delivery_rate 5434088bps delivered:5043 busy:6766ms unacked:23 retrans:0/19 rcv_space:14480 rcv_ssthresh:64088 notsent:553136 minrtt:46 snd_wnd:1065984
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:45462     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:247 rtt:46.194/13.011 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2507685bps lastsnd:7858 lastrcv:7719 lastack:7719 pacing_rate 5015288bps delivery_rate 500896bps delivered:4 app_limited busy:92ms rcv_space:14480 rcv_ssthresh:64088 minrtt:46.183 snd_wnd:65536
ESTAB 0      702280      10.0.0.1:45476     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb709632,f312,w724680,o0,bl0,d0) cubic wscale:10,10 rto:248 rtt:47.168/0.341 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:24 ssthresh:18 bytes_sent:8030645 bytes_retrans:30408 bytes_acked:7965486 segs_out:5549 segs_in:3089 data_segs_out:5547 send 5894166bps lastsnd:3 lastrcv:7766 lastack:3 pacing_rate 7072976bps delivery_rate 5680968bps delivered:5503 busy:7766ms unacked:24 retrans:0/21 rcv_space:14480 rcv_ssthresh:64088 notsent:667528 minrtt:46 snd_wnd:1065984
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:45462     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:247 rtt:46.194/13.011 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2507685bps lastsnd:8858 lastrcv:8719 lastack:8719 pacing_rate 5015288bps delivery_rate 500896bps delivered:4 app_limited busy:92ms rcv_space:14480 rcv_ssthresh:64088 minrtt:46.183 snd_wnd:65536
ESTAB 0      489424      10.0.0.1:45476     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb709632,f2352,w505552,o0,bl0,d0) cubic wscale:10,10 rto:248 rtt:47.653/0.326 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:17 ssthresh:17 bytes_sent:8787949 bytes_retrans:33304 bytes_acked:8699622 segs_out:6072 segs_in:3376 data_segs_out:6070 send 4132541bps lastsnd:5 lastrcv:8766 lastack:5 pacing_rate 10209728bps delivery_rate 5893664bps delivered:6031 busy:8766ms unacked:38 retrans:1/23 lost:1 sacked:21 rcv_space:14480 rcv_ssthresh:64088 notsent:434400 minrtt:46 snd_wnd:1064960
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:45462     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:247 rtt:46.194/13.011 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2507685bps lastsnd:9858 lastrcv:9719 lastack:9719 pacing_rate 5015288bps delivery_rate 500896bps delivered:4 app_limited busy:92ms rcv_space:14480 rcv_ssthresh:64088 minrtt:46.183 snd_wnd:65536
ESTAB 0      640016      10.0.0.1:45476     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb709632,f1520,w657936,o0,bl0,d0) cubic wscale:10,10 rto:248 rtt:47.285/0.436 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:16 ssthresh:13 bytes_sent:9409141 bytes_retrans:40544 bytes_acked:9330950 segs_out:6501 segs_in:3607 data_segs_out:6499 send 3919721bps lastrcv:9766 pacing_rate 7055472bps delivery_rate 4385936bps delivered:6456 busy:9766ms unacked:26 retrans:1/28 lost:1 sacked:10 rcv_space:14480 rcv_ssthresh:64088 notsent:602368 minrtt:46 snd_wnd:1064960
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
