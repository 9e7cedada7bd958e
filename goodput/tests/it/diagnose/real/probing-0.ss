$ sysctl net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.ipv4.tcp_congestion_control net.ipv4.tcp_window_scaling net.ipv4.tcp_mtu_probing net.ipv4.tcp_ecn
net.ipv4.tcp_rmem = 4096	131072	33554432
net.ipv4.tcp_wmem = 4096	16384	4194304
net.ipv4.tcp_congestion_control = cubic
net.ipv4.tcp_window_scaling = 1
net.ipv4.tcp_mtu_probing = 1
net.ipv4.tcp_ecn = 2
$ while :; do ss -tinm dst 10.0.2.1; sleep 1; done
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:560 lastrcv:500 lastack:500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      43440       10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f2640,w50608,o0,bl0,d0) cubic wscale:10,10 rto:440 backoff:1 rtt:20/7.5 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:17413 bytes_retrans:1448 bytes_acked:38 segs_out:15 segs_in:2 data_segs_out:13 send 579200bps lastsnd:236 lastrcv:520 lastack:500 pacing_rate 11584000bps delivery_rate 579200bps delivered:2 app_limited busy:520ms unacked:11 retrans:1/1 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:27512 minrtt:20 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:1560 lastrcv:1500 lastack:1500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      43440       10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f2640,w50608,o0,bl0,d0) cubic wscale:10,10 rto:880 backoff:2 rtt:20/7.5 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:18861 bytes_retrans:2896 bytes_acked:38 segs_out:16 segs_in:2 data_segs_out:14 send 579200bps lastsnd:788 lastrcv:1520 lastack:1500 pacing_rate 11584000bps delivery_rate 579200bps delivered:2 app_limited busy:1520ms unacked:11 retrans:1/2 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:27512 minrtt:20 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:2560 lastrcv:2500 lastack:2500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      43440       10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f2640,w50608,o0,bl0,d0) cubic wscale:10,10 rto:1760 backoff:3 rtt:20/7.5 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:20309 bytes_retrans:4344 bytes_acked:38 segs_out:17 segs_in:2 data_segs_out:15 send 579200bps lastsnd:852 lastrcv:2520 lastack:2500 pacing_rate 11584000bps delivery_rate 579200bps delivered:2 app_limited busy:2520ms unacked:11 retrans:1/3 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:27512 minrtt:20 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:3560 lastrcv:3500 lastack:3500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      41992       10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f2296,w50952,o0,bl0,d0) cubic wscale:10,10 rto:221 rtt:20.031/2.436 mss:1024 pmtu:1500 rcvmss:536 advmss:1448 cwnd:3 ssthresh:7 bytes_sent:26277 bytes_retrans:8264 bytes_acked:1486 segs_out:24 segs_in:6 data_segs_out:22 send 1226898bps lastrcv:3520 pacing_rate 6379632bps delivery_rate 819200bps delivered:6 busy:3520ms unacked:14 retrans:3/8 lost:12 sacked:2 rcv_space:14480 rcv_ssthresh:64088 notsent:25464 minrtt:20 snd_wnd:69632
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:4560 lastrcv:4500 lastack:4500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      129312      10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb221184,f3936,w151712,o0,bl0,d0) cubic wscale:10,10 rto:226 rtt:25.648/0.372 mss:1347 pmtu:1500 rcvmss:536 advmss:1448 cwnd:48 ssthresh:10 bytes_sent:1239573 bytes_retrans:24389 bytes_acked:1150529 segs_out:952 segs_in:518 data_segs_out:950 send 20167187bps lastsnd:1 lastrcv:4520 lastack:1 pacing_rate 24200504bps delivery_rate 18747384bps delivered:886 busy:4520ms unacked:48 retrans:0/27 rcv_space:14480 rcv_ssthresh:64088 notsent:64656 minrtt:20 snd_wnd:181248
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:5560 lastrcv:5500 lastack:5500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      375813      10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb622080,f1147,w441221,o0,bl0,d0) cubic wscale:10,10 rto:274 rtt:73.249/0.551 mss:1347 pmtu:1500 rcvmss:536 advmss:1448 cwnd:135 ssthresh:10 bytes_sent:3701889 bytes_retrans:24389 bytes_acked:3495656 segs_out:2780 segs_in:1436 data_segs_out:2778 send 19860476bps lastsnd:1 lastrcv:5520 lastack:1 pacing_rate 23832448bps delivery_rate 18747232bps delivered:2627 busy:5520ms unacked:135 retrans:0/27 rcv_space:14480 rcv_ssthresh:64088 notsent:193968 minrtt:20 snd_wnd:356352
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:6560 lastrcv:6500 lastack:6500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      619620      10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb649728,f284,w679652,o0,bl0,d0) cubic wscale:10,10 rto:266 rtt:65.538/0.022 mss:1347 pmtu:1500 rcvmss:536 advmss:1448 cwnd:116 ssthresh:98 bytes_sent:6028158 bytes_retrans:33818 bytes_acked:5838089 segs_out:4507 segs_in:2560 data_segs_out:4505 send 19073148bps lastsnd:1 lastrcv:6520 lastack:1 pacing_rate 22887600bps delivery_rate 18747440bps delivered:4366 busy:6520ms unacked:116 retrans:0/34 rcv_space:14480 rcv_ssthresh:64088 notsent:463368 minrtt:20 snd_wnd:1588224
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:7560 lastrcv:7500 lastack:7500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      603456      10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb649728,f1984,w669760,o0,bl0,d0) cubic wscale:10,10 rto:275 rtt:74.702/0.048 mss:1347 pmtu:1500 rcvmss:536 advmss:1448 cwnd:131 ssthresh:98 bytes_sent:8392143 bytes_retrans:33818 bytes_acked:8181869 segs_out:6262 segs_in:3457 data_segs_out:6260 send 18897165bps lastsnd:1 lastrcv:7520 lastack:1 pacing_rate 22676592bps delivery_rate 18747384bps delivered:6106 busy:7520ms unacked:131 retrans:0/34 rcv_space:14480 rcv_ssthresh:64088 notsent:426999 minrtt:20 snd_wnd:1588224
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:8560 lastrcv:8500 lastack:8500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      587292      10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb649728,f2020,w641052,o0,bl0,d0) cubic wscale:10,10 rto:259 rtt:58.087/0.127 mss:1347 pmtu:1500 rcvmss:536 advmss:1448 cwnd:101 ssthresh:94 bytes_sent:10696860 bytes_retrans:35165 bytes_acked:10525649 segs_out:7973 segs_in:4380 data_segs_out:7971 send 18736998bps lastsnd:1 lastrcv:8520 lastack:1 pacing_rate 22484248bps delivery_rate 18747320bps delivered:7846 busy:8520ms unacked:101 retrans:0/35 rcv_space:14480 rcv_ssthresh:64088 notsent:451245 minrtt:20 snd_wnd:1589248
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:9560 lastrcv:9500 lastack:9500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      571128      10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb649728,f3208,w627576,o0,bl0,d0) cubic wscale:10,10 rto:264 rtt:63.129/0.079 mss:1347 pmtu:1500 rcvmss:536 advmss:1448 cwnd:110 ssthresh:94 bytes_sent:13052763 bytes_retrans:35165 bytes_acked:12869429 segs_out:9722 segs_in:5283 data_segs_out:9720 send 18776790bps lastsnd:1 lastrcv:9520 lastack:1 pacing_rate 22531920bps delivery_rate 18747384bps delivered:9586 busy:9520ms unacked:110 retrans:0/35 rcv_space:14480 rcv_ssthresh:64088 notsent:422958 minrtt:20 snd_wnd:1589248
