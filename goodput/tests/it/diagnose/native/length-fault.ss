2026-11-25T05:05:40+00:00
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
2026-11-25T05:05:41+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      0       172.24.13.31:49910 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:29.272/8.252 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:197 bytes_acked:198 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3957365bps lastsnd:628 lastrcv:540 lastack:540 pacing_rate 7914488bps delivery_rate 791416bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.2 snd_wnd:65536
ESTAB 0      28566   172.24.13.31:49920 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f1706,w31062,o0,bl0,d0) cubic wscale:10,10 rto:464 backoff:1 rtt:29.448/0.779 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:20109 bytes_retrans:5796 bytes_acked:3764 segs_out:28 segs_in:12 data_segs_out:26 send 393371bps lastsnd:44 lastrcv:568 lastack:280 pacing_rate 6293832bps delivery_rate 1166952bps delivered:12 app_limited busy:568ms unacked:8 retrans:1/8 lost:1 sacked:7 rcv_space:14480 rcv_ssthresh:64088 notsent:18016 minrtt:29 snd_wnd:79872
2026-11-25T05:05:42+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      0       172.24.13.31:49910 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:29.272/8.252 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:197 bytes_acked:198 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3957365bps lastsnd:1632 lastrcv:1544 lastack:1544 pacing_rate 7914488bps delivery_rate 791416bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.2 snd_wnd:65536
ESTAB 0      28566   172.24.13.31:49920 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f1706,w31062,o0,bl0,d0) cubic wscale:10,10 rto:928 backoff:2 rtt:29.448/0.779 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:20523 bytes_retrans:6210 bytes_acked:3764 segs_out:29 segs_in:12 data_segs_out:27 send 393371bps lastsnd:580 lastrcv:1572 lastack:1284 pacing_rate 6293832bps delivery_rate 1166952bps delivered:12 app_limited busy:1572ms unacked:8 retrans:1/9 lost:1 sacked:7 rcv_space:14480 rcv_ssthresh:64088 notsent:18016 minrtt:29 snd_wnd:79872
2026-11-25T05:05:43+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      0       172.24.13.31:49910 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:29.272/8.252 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:197 bytes_acked:198 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3957365bps lastsnd:2628 lastrcv:2540 lastack:2540 pacing_rate 7914488bps delivery_rate 791416bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.2 snd_wnd:65536
ESTAB 0      28566   172.24.13.31:49920 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f1706,w31062,o0,bl0,d0) cubic wscale:10,10 rto:1856 backoff:3 rtt:29.448/0.779 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:20937 bytes_retrans:6624 bytes_acked:3764 segs_out:30 segs_in:12 data_segs_out:28 send 393371bps lastsnd:616 lastrcv:2568 lastack:2280 pacing_rate 6293832bps delivery_rate 1166952bps delivered:12 app_limited busy:2568ms unacked:8 retrans:1/10 lost:1 sacked:7 rcv_space:14480 rcv_ssthresh:64088 notsent:18016 minrtt:29 snd_wnd:79872
2026-11-25T05:05:44+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      0       172.24.13.31:49910 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:29.272/8.252 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:197 bytes_acked:198 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3957365bps lastsnd:3632 lastrcv:3544 lastack:3544 pacing_rate 7914488bps delivery_rate 791416bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.2 snd_wnd:65536
ESTAB 0      28566   172.24.13.31:49920 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f1706,w31062,o0,bl0,d0) cubic wscale:10,10 rto:1856 backoff:3 rtt:29.448/0.779 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:20937 bytes_retrans:6624 bytes_acked:3764 segs_out:30 segs_in:12 data_segs_out:28 send 393371bps lastsnd:1620 lastrcv:3572 lastack:3284 pacing_rate 6293832bps delivery_rate 1166952bps delivered:12 app_limited busy:3572ms unacked:8 retrans:1/10 lost:1 sacked:7 rcv_space:14480 rcv_ssthresh:64088 notsent:18016 minrtt:29 snd_wnd:79872
2026-11-25T05:05:45+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      0       172.24.13.31:49910 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:29.272/8.252 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:197 bytes_acked:198 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3957365bps lastsnd:4628 lastrcv:4540 lastack:4540 pacing_rate 7914488bps delivery_rate 791416bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.2 snd_wnd:65536
ESTAB 0      28566   172.24.13.31:49920 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f1706,w31062,o0,bl0,d0) cubic wscale:10,10 rto:3712 backoff:4 rtt:29.448/0.779 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21351 bytes_retrans:7038 bytes_acked:3764 segs_out:31 segs_in:12 data_segs_out:29 send 393371bps lastsnd:728 lastrcv:4568 lastack:4280 pacing_rate 6293832bps delivery_rate 1166952bps delivered:12 app_limited busy:4568ms unacked:8 retrans:1/11 lost:1 sacked:7 rcv_space:14480 rcv_ssthresh:64088 notsent:18016 minrtt:29 snd_wnd:79872
2026-11-25T05:05:46+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      0       172.24.13.31:49910 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:29.272/8.252 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:197 bytes_acked:198 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3957365bps lastsnd:5628 lastrcv:5540 lastack:5540 pacing_rate 7914488bps delivery_rate 791416bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.2 snd_wnd:65536
ESTAB 0      28566   172.24.13.31:49920 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f1706,w31062,o0,bl0,d0) cubic wscale:10,10 rto:3712 backoff:4 rtt:29.448/0.779 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21351 bytes_retrans:7038 bytes_acked:3764 segs_out:31 segs_in:12 data_segs_out:29 send 393371bps lastsnd:1728 lastrcv:5568 lastack:5280 pacing_rate 6293832bps delivery_rate 1166952bps delivered:12 app_limited busy:5568ms unacked:8 retrans:1/11 lost:1 sacked:7 rcv_space:14480 rcv_ssthresh:64088 notsent:18016 minrtt:29 snd_wnd:79872
2026-11-25T05:05:47+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      0       172.24.13.31:49910 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:29.272/8.252 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:197 bytes_acked:198 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3957365bps lastsnd:6628 lastrcv:6540 lastack:6540 pacing_rate 7914488bps delivery_rate 791416bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.2 snd_wnd:65536
ESTAB 0      28566   172.24.13.31:49920 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f1706,w31062,o0,bl0,d0) cubic wscale:10,10 rto:3712 backoff:4 rtt:29.448/0.779 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21351 bytes_retrans:7038 bytes_acked:3764 segs_out:31 segs_in:12 data_segs_out:29 send 393371bps lastsnd:2728 lastrcv:6568 lastack:6280 pacing_rate 6293832bps delivery_rate 1166952bps delivered:12 app_limited busy:6568ms unacked:8 retrans:1/11 lost:1 sacked:7 rcv_space:14480 rcv_ssthresh:64088 notsent:18016 minrtt:29 snd_wnd:79872
2026-11-25T05:05:48+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      0       172.24.13.31:49910 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:29.272/8.252 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:197 bytes_acked:198 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3957365bps lastsnd:7628 lastrcv:7540 lastack:7540 pacing_rate 7914488bps delivery_rate 791416bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.2 snd_wnd:65536
ESTAB 0      28566   172.24.13.31:49920 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f1706,w31062,o0,bl0,d0) cubic wscale:10,10 rto:3712 backoff:4 rtt:29.448/0.779 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21351 bytes_retrans:7038 bytes_acked:3764 segs_out:31 segs_in:12 data_segs_out:29 send 393371bps lastsnd:3728 lastrcv:7568 lastack:7280 pacing_rate 6293832bps delivery_rate 1166952bps delivered:12 app_limited busy:7568ms unacked:8 retrans:1/11 lost:1 sacked:7 rcv_space:14480 rcv_ssthresh:64088 notsent:18016 minrtt:29 snd_wnd:79872
2026-11-25T05:05:49+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      0       172.24.13.31:49910 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:29.272/8.252 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:197 bytes_acked:198 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3957365bps lastsnd:8632 lastrcv:8544 lastack:8544 pacing_rate 7914488bps delivery_rate 791416bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.2 snd_wnd:65536
ESTAB 0      28566   172.24.13.31:49920 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f1706,w31062,o0,bl0,d0) cubic wscale:10,10 rto:7424 backoff:5 rtt:29.448/0.779 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21765 bytes_retrans:7452 bytes_acked:3764 segs_out:32 segs_in:12 data_segs_out:30 send 393371bps lastsnd:860 lastrcv:8572 lastack:8284 pacing_rate 6293832bps delivery_rate 1166952bps delivered:12 app_limited busy:8572ms unacked:8 retrans:1/12 lost:1 sacked:7 rcv_space:14480 rcv_ssthresh:64088 notsent:18016 minrtt:29 snd_wnd:79872
2026-11-25T05:05:50+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      0       172.24.13.31:49910 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:29.272/8.252 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:197 bytes_acked:198 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3957365bps lastsnd:9632 lastrcv:9544 lastack:9544 pacing_rate 7914488bps delivery_rate 791416bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.2 snd_wnd:65536
ESTAB 0      28566   172.24.13.31:49920 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f1706,w31062,o0,bl0,d0) cubic wscale:10,10 rto:7424 backoff:5 rtt:29.448/0.779 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21765 bytes_retrans:7452 bytes_acked:3764 segs_out:32 segs_in:12 data_segs_out:30 send 393371bps lastsnd:1860 lastrcv:9572 lastack:9284 pacing_rate 6293832bps delivery_rate 1166952bps delivered:12 app_limited busy:9572ms unacked:8 retrans:1/12 lost:1 sacked:7 rcv_space:14480 rcv_ssthresh:64088 notsent:18016 minrtt:29 snd_wnd:79872
2026-11-25T05:05:51+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      0       172.24.13.31:49910 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:29.272/8.252 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:197 bytes_acked:198 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3957365bps lastsnd:10632 lastrcv:10544 lastack:10544 pacing_rate 7914488bps delivery_rate 791416bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.2 snd_wnd:65536
ESTAB 0      28566   172.24.13.31:49920 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f1706,w31062,o0,bl0,d0) cubic wscale:10,10 rto:7424 backoff:5 rtt:29.448/0.779 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21765 bytes_retrans:7452 bytes_acked:3764 segs_out:32 segs_in:12 data_segs_out:30 send 393371bps lastsnd:2860 lastrcv:10572 lastack:10284 pacing_rate 6293832bps delivery_rate 1166952bps delivered:12 app_limited busy:10572ms unacked:8 retrans:1/12 lost:1 sacked:7 rcv_space:14480 rcv_ssthresh:64088 notsent:18016 minrtt:29 snd_wnd:79872
2026-11-25T05:05:52+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      0       172.24.13.31:49910 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:29.272/8.252 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:197 bytes_acked:198 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3957365bps lastsnd:11628 lastrcv:11540 lastack:11540 pacing_rate 7914488bps delivery_rate 791416bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:29.2 snd_wnd:65536
ESTAB 0      28566   172.24.13.31:49920 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f1706,w31062,o0,bl0,d0) cubic wscale:10,10 rto:7424 backoff:5 rtt:29.448/0.779 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21765 bytes_retrans:7452 bytes_acked:3764 segs_out:32 segs_in:12 data_segs_out:30 send 393371bps lastsnd:3856 lastrcv:11568 lastack:11280 pacing_rate 6293832bps delivery_rate 1166952bps delivered:12 app_limited busy:11568ms unacked:8 retrans:1/12 lost:1 sacked:7 rcv_space:14480 rcv_ssthresh:64088 notsent:18016 minrtt:29 snd_wnd:79872
2026-11-25T05:05:53+00:00
State    Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
LAST-ACK 1      28567   172.24.13.31:49920 172.24.159.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f1706,w31062,o0,bl0,d0) cubic wscale:10,10 rto:7424 backoff:5 rtt:29.448/0.779 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21765 bytes_retrans:7452 bytes_acked:3764 bytes_received:1 segs_out:33 segs_in:13 data_segs_out:30 send 393371bps lastsnd:4856 lastrcv:12568 lastack:508 pacing_rate 6293832bps delivery_rate 1166952bps delivered:12 app_limited busy:12568ms unacked:8 retrans:1/12 lost:1 sacked:7 rcv_space:14480 rcv_ssthresh:64088 notsent:18017 minrtt:29 snd_wnd:79872
