$ sysctl net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.ipv4.tcp_congestion_control net.ipv4.tcp_window_scaling net.ipv4.tcp_mtu_probing net.ipv4.tcp_ecn
net.ipv4.tcp_rmem = 4096	131072	33554432
net.ipv4.tcp_wmem = 4096	16384	100000
net.ipv4.tcp_congestion_control = cubic
net.ipv4.tcp_window_scaling = 1
net.ipv4.tcp_mtu_probing = 0
net.ipv4.tcp_ecn = 2
$ while :; do ss -tinm dst 10.0.0.2; sleep 1; done
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:440 lastrcv:200 lastack:200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:65536
ESTAB 0      83984       10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb100000,f3696,w102800,o0,bl0,d0) cubic wscale:10,10 rto:284 rtt:83.51/2.167 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:40 bytes_sent:101397 bytes_acked:43478 segs_out:73 segs_in:27 data_segs_out:71 send 5548557bps lastsnd:29 lastrcv:280 lastack:29 pacing_rate 11097096bps delivery_rate 2689976bps delivered:32 busy:280ms unacked:40 rcv_space:14480 rcv_ssthresh:64088 notsent:26064 minrtt:80 snd_wnd:79872
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:1440 lastrcv:1200 lastack:1200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:65536
ESTAB 0      111496      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb100000,f1016,w146440,o0,bl0,d0) cubic wscale:10,10 rto:319 rtt:118.859/9.163 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:239 ssthresh:239 bytes_sent:1192605 bytes_acked:1081110 segs_out:829 segs_in:494 data_segs_out:827 send 23292944bps lastsnd:77 lastrcv:1280 lastack:57 pacing_rate 27951352bps delivery_rate 11820408bps delivered:751 app_limited busy:1280ms sndbuf_limited:603ms(47.1%) unacked:77 rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:685056
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:2440 lastrcv:2200 lastack:2200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:65536
ESTAB 0      127424      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb100000,f192,w167744,o0,bl0,d0) cubic wscale:10,10 rto:310 rtt:109.943/8.465 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:239 ssthresh:239 bytes_sent:2302805 bytes_acked:2175382 segs_out:1597 segs_in:878 data_segs_out:1595 send 25181922bps lastsnd:13 lastrcv:2280 lastack:1 pacing_rate 30218096bps delivery_rate 11820408bps delivered:1508 app_limited busy:2280ms sndbuf_limited:1603ms(70.3%) unacked:88 rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:685056
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:3440 lastrcv:3200 lastack:3200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:65536
ESTAB 0      111496      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb100000,f1016,w146440,o0,bl0,d0) cubic wscale:10,10 rto:318 rtt:117.668/9.092 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:239 ssthresh:239 bytes_sent:3300645 bytes_acked:3189150 segs_out:2287 segs_in:1234 data_segs_out:2285 send 23528708bps lastsnd:59 lastrcv:3280 lastack:39 pacing_rate 28234416bps delivery_rate 11820408bps delivered:2209 app_limited busy:3280ms sndbuf_limited:2602ms(79.3%) unacked:77 rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:685056
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:4440 lastrcv:4200 lastack:4200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:65536
ESTAB 0      62264       10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb100000,f4040,w81976,o0,bl0,d0) cubic wscale:10,10 rto:297 rtt:96.583/3.75 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:239 ssthresh:239 bytes_sent:4302941 bytes_acked:4240678 segs_out:2980 segs_in:1603 data_segs_out:2978 send 28665252bps lastsnd:102 lastrcv:4280 lastack:1 pacing_rate 34398032bps delivery_rate 11820408bps delivered:2936 app_limited busy:4280ms sndbuf_limited:3602ms(84.2%) unacked:43 rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:685056
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:5440 lastrcv:5200 lastack:5200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:65536
ESTAB 0      111496      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb100000,f1016,w146440,o0,bl0,d0) cubic wscale:10,10 rto:318 rtt:117.668/9.092 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:239 ssthresh:239 bytes_sent:5406485 bytes_acked:5294990 segs_out:3743 segs_in:1973 data_segs_out:3741 send 23528708bps lastsnd:42 lastrcv:5280 lastack:22 pacing_rate 28234416bps delivery_rate 11820408bps delivered:3665 app_limited busy:5280ms sndbuf_limited:4602ms(87.2%) unacked:77 rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:685056
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:6440 lastrcv:6200 lastack:6200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:65536
ESTAB 0      102808      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb100000,f104,w135064,o0,bl0,d0) cubic wscale:10,10 rto:304 rtt:103.875/11.61 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:239 ssthresh:239 bytes_sent:6410117 bytes_acked:6307310 segs_out:4437 segs_in:2328 data_segs_out:4435 send 26652958bps lastsnd:85 lastrcv:6280 lastack:1 pacing_rate 31983504bps delivery_rate 11820408bps delivered:4365 app_limited busy:6280ms sndbuf_limited:5601ms(89.2%) unacked:71 rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:685056
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:7440 lastrcv:7200 lastack:7200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:65536
ESTAB 0      108600      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb100000,f712,w142648,o0,bl0,d0) cubic wscale:10,10 rto:318 rtt:117.674/9.08 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:239 ssthresh:239 bytes_sent:7514525 bytes_acked:7405926 segs_out:5201 segs_in:2714 data_segs_out:5199 send 23527508bps lastsnd:23 lastrcv:7280 lastack:3 pacing_rate 28233008bps delivery_rate 11820408bps delivered:5125 app_limited busy:7280ms sndbuf_limited:6600ms(90.7%) unacked:75 rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:685056
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:8440 lastrcv:8200 lastack:8200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:65536
ESTAB 0      114392      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb100000,f1320,w150232,o0,bl0,d0) cubic wscale:10,10 rto:319 rtt:118.866/9.151 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:239 ssthresh:239 bytes_sent:8515957 bytes_acked:8401566 segs_out:5893 segs_in:3063 data_segs_out:5891 send 23291572bps lastsnd:69 lastrcv:8280 lastack:48 pacing_rate 27949824bps delivery_rate 11820408bps delivered:5813 app_limited busy:8280ms sndbuf_limited:7599ms(91.8%) unacked:79 rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:685056
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:57904     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:280 rtt:80/22.5 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1448000bps lastsnd:9440 lastrcv:9200 lastack:9200 pacing_rate 2895992bps delivery_rate 289592bps delivered:4 app_limited busy:160ms rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:65536
ESTAB 0      141904      10.0.0.1:57918     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb100000,f1712,w186704,o0,bl0,d0) cubic wscale:10,10 rto:305 rtt:104.183/7.152 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:239 ssthresh:239 bytes_sent:9620365 bytes_acked:9478462 segs_out:6657 segs_in:3441 data_segs_out:6655 send 26574163bps lastsnd:6 lastrcv:9280 pacing_rate 31888992bps delivery_rate 11820408bps delivered:6558 app_limited busy:9280ms sndbuf_limited:8599ms(92.7%) unacked:98 rcv_space:14480 rcv_ssthresh:64088 minrtt:80 snd_wnd:685056
