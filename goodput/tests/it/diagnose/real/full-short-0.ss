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
ESTAB 0      0           10.0.0.1:54362     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:290 rtt:89.031/25.068 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:164 bytes_acked:165 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1301120bps lastsnd:772 lastrcv:505 lastack:505 pacing_rate 2602216bps delivery_rate 259968bps delivered:4 app_limited busy:178ms rcv_space:14480 rcv_ssthresh:64088 minrtt:89.014 snd_wnd:65536
ESTAB 0      735584      10.0.0.1:54372     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb1124352,f416,w826976,o0,bl0,d0) cubic wscale:10,10 rto:317 rtt:116.093/2.16 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:244 bytes_sent:719693 bytes_acked:366382 segs_out:500 segs_in:232 data_segs_out:498 send 24346825bps lastsnd:1 lastrcv:594 lastack:1 pacing_rate 29216096bps delivery_rate 12873944bps delivered:255 busy:594ms unacked:244 rcv_space:14480 rcv_ssthresh:64088 notsent:382272 minrtt:89.013 snd_wnd:621568
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:54362     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:290 rtt:89.031/25.068 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:164 bytes_acked:165 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1301120bps lastsnd:1772 lastrcv:1505 lastack:1505 pacing_rate 2602216bps delivery_rate 259968bps delivered:4 app_limited busy:178ms rcv_space:14480 rcv_ssthresh:64088 minrtt:89.014 snd_wnd:65536
ESTAB 0      889072      10.0.0.1:54372     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb1548288,f16,w1048560,o0,bl0,d0) cubic wscale:10,10 rto:374 rtt:173.919/0.645 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:336 ssthresh:244 bytes_sent:3499853 bytes_acked:3014774 segs_out:2420 segs_in:1310 data_segs_out:2418 send 22379522bps lastsnd:1 lastrcv:1594 lastack:1 pacing_rate 26855400bps delivery_rate 21246512bps delivered:2084 busy:1594ms unacked:335 rcv_space:14480 rcv_ssthresh:64088 notsent:403992 minrtt:89.013 snd_wnd:1491968
State Recv-Q Send-Q  Local Address:Port  Peer Address:PortProcess
ESTAB 0      0            10.0.0.1:54362     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:290 rtt:89.031/25.068 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:164 bytes_acked:165 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1301120bps lastsnd:2772 lastrcv:2505 lastack:2505 pacing_rate 2602216bps delivery_rate 259968bps delivered:4 app_limited busy:178ms rcv_space:14480 rcv_ssthresh:64088 minrtt:89.014 snd_wnd:65536
ESTAB 0      1101928      10.0.0.1:54372     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb1640448,f152,w1232744,o0,bl0,d0) cubic wscale:10,10 rto:343 rtt:142.784/0.246 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:268 ssthresh:249 bytes_sent:6083085 bytes_retrans:26064 bytes_acked:5668958 segs_out:4204 segs_in:2455 data_segs_out:4202 send 21742716bps lastsnd:1 lastrcv:2594 lastack:1 pacing_rate 26091120bps delivery_rate 21246408bps delivered:3917 busy:2594ms unacked:268 retrans:0/18 rcv_space:14480 rcv_ssthresh:64088 notsent:713864 minrtt:89.013 snd_wnd:2623488
State Recv-Q Send-Q  Local Address:Port  Peer Address:PortProcess
ESTAB 0      0            10.0.0.1:54362     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:290 rtt:89.031/25.068 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:164 bytes_acked:165 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1301120bps lastsnd:3772 lastrcv:3505 lastack:3505 pacing_rate 2602216bps delivery_rate 259968bps delivered:4 app_limited busy:178ms rcv_space:14480 rcv_ssthresh:64088 minrtt:89.014 snd_wnd:65536
ESTAB 0      1377048      10.0.0.1:54372     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb1640448,f2536,w1529368,o0,bl0,d0) cubic wscale:10,10 rto:363 rtt:162.928/0.18 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:304 ssthresh:249 bytes_sent:8790845 bytes_retrans:26064 bytes_acked:8326038 segs_out:6074 segs_in:3389 data_segs_out:6072 send 21614063bps lastsnd:1 lastrcv:3594 lastack:1 pacing_rate 25936728bps delivery_rate 21246440bps delivered:5752 busy:3594ms unacked:303 retrans:0/18 rcv_space:14480 rcv_ssthresh:64088 notsent:938304 minrtt:89.013 snd_wnd:2623488
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
