$ sysctl net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.ipv4.tcp_congestion_control net.ipv4.tcp_window_scaling net.ipv4.tcp_mtu_probing net.ipv4.tcp_ecn
net.ipv4.tcp_rmem = 4096	131072	33554432
net.ipv4.tcp_wmem = 4096	16384	4194304
net.ipv4.tcp_congestion_control = cubic
net.ipv4.tcp_window_scaling = 1
net.ipv4.tcp_mtu_probing = 0
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
ESTAB 0      43440       10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f2640,w50608,o0,bl0,d0) cubic wscale:10,10 rto:3520 backoff:4 rtt:20/7.5 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21757 bytes_retrans:5792 bytes_acked:38 segs_out:18 segs_in:2 data_segs_out:16 send 579200bps lastsnd:60 lastrcv:3520 lastack:3500 pacing_rate 11584000bps delivery_rate 579200bps delivered:2 app_limited busy:3520ms unacked:11 retrans:1/4 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:27512 minrtt:20 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:4560 lastrcv:4500 lastack:4500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      43440       10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f2640,w50608,o0,bl0,d0) cubic wscale:10,10 rto:3520 backoff:4 rtt:20/7.5 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21757 bytes_retrans:5792 bytes_acked:38 segs_out:18 segs_in:2 data_segs_out:16 send 579200bps lastsnd:1060 lastrcv:4520 lastack:4500 pacing_rate 11584000bps delivery_rate 579200bps delivered:2 app_limited busy:4520ms unacked:11 retrans:1/4 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:27512 minrtt:20 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:5560 lastrcv:5500 lastack:5500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      43440       10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f2640,w50608,o0,bl0,d0) cubic wscale:10,10 rto:3520 backoff:4 rtt:20/7.5 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21757 bytes_retrans:5792 bytes_acked:38 segs_out:18 segs_in:2 data_segs_out:16 send 579200bps lastsnd:2060 lastrcv:5520 lastack:5500 pacing_rate 11584000bps delivery_rate 579200bps delivered:2 app_limited busy:5520ms unacked:11 retrans:1/4 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:27512 minrtt:20 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:6560 lastrcv:6500 lastack:6500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      43440       10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f2640,w50608,o0,bl0,d0) cubic wscale:10,10 rto:3520 backoff:4 rtt:20/7.5 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21757 bytes_retrans:5792 bytes_acked:38 segs_out:18 segs_in:2 data_segs_out:16 send 579200bps lastsnd:3060 lastrcv:6520 lastack:6500 pacing_rate 11584000bps delivery_rate 579200bps delivered:2 app_limited busy:6520ms unacked:11 retrans:1/4 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:27512 minrtt:20 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:7560 lastrcv:7500 lastack:7500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      43440       10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f2640,w50608,o0,bl0,d0) cubic wscale:10,10 rto:7040 backoff:5 rtt:20/7.5 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:23205 bytes_retrans:7240 bytes_acked:38 segs_out:19 segs_in:2 data_segs_out:17 send 579200bps lastsnd:476 lastrcv:7520 lastack:7500 pacing_rate 11584000bps delivery_rate 579200bps delivered:2 app_limited busy:7520ms unacked:11 retrans:1/5 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:27512 minrtt:20 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:8560 lastrcv:8500 lastack:8500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      43440       10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f2640,w50608,o0,bl0,d0) cubic wscale:10,10 rto:7040 backoff:5 rtt:20/7.5 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:23205 bytes_retrans:7240 bytes_acked:38 segs_out:19 segs_in:2 data_segs_out:17 send 579200bps lastsnd:1476 lastrcv:8520 lastack:8500 pacing_rate 11584000bps delivery_rate 579200bps delivered:2 app_limited busy:8520ms unacked:11 retrans:1/5 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:27512 minrtt:20 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:33728     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:20/5.625 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5792000bps lastsnd:9560 lastrcv:9500 lastack:9500 pacing_rate 11583920bps delivery_rate 1158336bps delivered:4 app_limited busy:40ms rcv_space:14480 rcv_ssthresh:64088 minrtt:20 snd_wnd:65536
ESTAB 0      43440       10.0.0.1:33734     10.0.2.1:5201
	 skmem:(r0,rb131072,t0,tb46080,f2640,w50608,o0,bl0,d0) cubic wscale:10,10 rto:7040 backoff:5 rtt:20/7.5 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:23205 bytes_retrans:7240 bytes_acked:38 segs_out:19 segs_in:2 data_segs_out:17 send 579200bps lastsnd:2476 lastrcv:9520 lastack:9500 pacing_rate 11584000bps delivery_rate 579200bps delivered:2 app_limited busy:9520ms unacked:11 retrans:1/5 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:27512 minrtt:20 snd_wnd:65536
