$ sysctl net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.ipv4.tcp_congestion_control net.ipv4.tcp_window_scaling net.ipv4.tcp_mtu_probing net.ipv4.tcp_ecn
net.ipv4.tcp_rmem = 4096	131072	33554432
net.ipv4.tcp_wmem = 4096	16384	29729
net.ipv4.tcp_congestion_control = cubic
net.ipv4.tcp_window_scaling = 1
net.ipv4.tcp_mtu_probing = 0
net.ipv4.tcp_ecn = 2
$ while :; do ss -tinm dst 10.0.0.2; sleep 1; done
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:217 rtt:16.171/4.562 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 7163441bps lastsnd:918 lastrcv:869 lastack:869 pacing_rate 14326104bps delivery_rate 1428712bps delivered:4 app_limited busy:32ms rcv_space:14480 rcv_ssthresh:64088 minrtt:16.163 snd_wnd:65536
ESTAB 0      18824       10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f2680,w25992,o0,bl0,d0) cubic wscale:10,10 rto:226 rtt:25.96/3.371 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:56 ssthresh:48 bytes_sent:1899813 bytes_retrans:52128 bytes_acked:1828862 segs_out:1315 segs_in:730 data_segs_out:1313 send 24988598bps lastsnd:13 lastrcv:886 lastack:1 pacing_rate 29985736bps delivery_rate 36921648bps delivered:1265 busy:885ms sndbuf_limited:156ms(17.6%) unacked:13 retrans:0/36 rcv_space:14480 rcv_ssthresh:64088 minrtt:16 snd_wnd:365568
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:217 rtt:16.171/4.562 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 7163441bps lastsnd:1918 lastrcv:1869 lastack:1869 pacing_rate 14326104bps delivery_rate 1428712bps delivered:4 app_limited busy:32ms rcv_space:14480 rcv_ssthresh:64088 minrtt:16.163 snd_wnd:65536
ESTAB 0      95568       10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f1328,w121552,o0,bl0,d0) cubic wscale:10,10 rto:225 rtt:24.528/2.184 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:53 ssthresh:44 bytes_sent:4679973 bytes_retrans:56472 bytes_acked:4546758 segs_out:3235 segs_in:1678 data_segs_out:3233 send 25030659bps lastsnd:1 lastrcv:1886 lastack:1 pacing_rate 30036024bps delivery_rate 36067776bps delivered:3142 busy:1885ms sndbuf_limited:156ms(8.3%) unacked:53 retrans:0/39 rcv_space:14480 rcv_ssthresh:64088 notsent:18824 minrtt:16 snd_wnd:365568
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:217 rtt:16.171/4.562 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 7163441bps lastsnd:2918 lastrcv:2869 lastack:2869 pacing_rate 14326104bps delivery_rate 1428712bps delivered:4 app_limited busy:32ms rcv_space:14480 rcv_ssthresh:64088 minrtt:16.163 snd_wnd:65536
ESTAB 0      88328       10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f2168,w112520,o0,bl0,d0) cubic wscale:10,10 rto:222 rtt:21.131/3.031 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:50 ssthresh:44 bytes_sent:7396421 bytes_retrans:60816 bytes_acked:7263206 segs_out:5111 segs_in:2622 data_segs_out:5109 send 27409966bps lastsnd:3 lastrcv:2886 lastack:3 pacing_rate 32891368bps delivery_rate 30013536bps delivered:5018 busy:2885ms sndbuf_limited:156ms(5.4%) unacked:50 retrans:0/42 rcv_space:14480 rcv_ssthresh:64088 notsent:15928 minrtt:16 snd_wnd:365568
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:217 rtt:16.171/4.562 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 7163441bps lastsnd:3918 lastrcv:3869 lastack:3869 pacing_rate 14326104bps delivery_rate 1428712bps delivered:4 app_limited busy:32ms rcv_space:14480 rcv_ssthresh:64088 minrtt:16.163 snd_wnd:65536
ESTAB 0      62264       10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f4040,w81976,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:19.62/1.452 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:47 ssthresh:44 bytes_sent:10125901 bytes_retrans:65160 bytes_acked:9998478 segs_out:6996 segs_in:3575 data_segs_out:6994 send 27749643bps lastsnd:2 lastrcv:3886 lastack:1 pacing_rate 33299144bps delivery_rate 27200632bps delivered:6907 busy:3885ms sndbuf_limited:156ms(4.0%) unacked:43 retrans:0/45 rcv_space:14480 rcv_ssthresh:64088 minrtt:16 snd_wnd:365568
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:217 rtt:16.171/4.562 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 7163441bps lastsnd:4918 lastrcv:4869 lastack:4869 pacing_rate 14326104bps delivery_rate 1428712bps delivered:4 app_limited busy:32ms rcv_space:14480 rcv_ssthresh:64088 minrtt:16.163 snd_wnd:65536
ESTAB 0      88328       10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f760,w109832,o0,bl0,d0) cubic wscale:10,10 rto:220 rtt:19.695/2.957 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:45 ssthresh:44 bytes_sent:12898821 bytes_retrans:66608 bytes_acked:12767054 segs_out:8911 segs_in:4539 data_segs_out:8909 send 26467631bps lastsnd:8 lastrcv:4886 lastack:8 pacing_rate 31760752bps delivery_rate 26044464bps delivered:8819 busy:4885ms sndbuf_limited:156ms(3.2%) unacked:45 retrans:0/46 rcv_space:14480 rcv_ssthresh:64088 notsent:23168 minrtt:16 snd_wnd:365568
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:217 rtt:16.171/4.562 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 7163441bps lastsnd:5918 lastrcv:5869 lastack:5869 pacing_rate 14326104bps delivery_rate 1428712bps delivered:4 app_limited busy:32ms rcv_space:14480 rcv_ssthresh:64088 minrtt:16.163 snd_wnd:65536
ESTAB 0      97016       10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f1800,w100600,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:27.797/4.011 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:44 ssthresh:44 bytes_sent:15635541 bytes_retrans:70952 bytes_acked:15467574 segs_out:10801 segs_in:5513 data_segs_out:10799 send 18336367bps lastsnd:9 lastrcv:5886 lastack:9 pacing_rate 33505240bps delivery_rate 40923056bps delivered:10749 busy:5885ms sndbuf_limited:156ms(2.7%) unacked:67 retrans:2/49 lost:2 sacked:65 rcv_space:14480 rcv_ssthresh:64088 minrtt:16 snd_wnd:364544
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:217 rtt:16.171/4.562 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 7163441bps lastsnd:6918 lastrcv:6869 lastack:6869 pacing_rate 14326104bps delivery_rate 1428712bps delivered:4 app_limited busy:32ms rcv_space:14480 rcv_ssthresh:64088 minrtt:16.163 snd_wnd:65536
ESTAB 0      88328       10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f2680,w116104,o0,bl0,d0) cubic wscale:10,10 rto:229 rtt:28.596/3.001 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:62 ssthresh:44 bytes_sent:18430181 bytes_retrans:70952 bytes_acked:18270902 segs_out:12731 segs_in:6473 data_segs_out:12729 send 25115681bps lastsnd:6 lastrcv:6886 lastack:5 pacing_rate 30138816bps delivery_rate 40923056bps delivered:12620 busy:6885ms sndbuf_limited:156ms(2.3%) unacked:61 retrans:0/49 rcv_space:14480 rcv_ssthresh:64088 minrtt:16 snd_wnd:365568
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:217 rtt:16.171/4.562 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 7163441bps lastsnd:7918 lastrcv:7869 lastack:7869 pacing_rate 14326104bps delivery_rate 1428712bps delivered:4 app_limited busy:32ms rcv_space:14480 rcv_ssthresh:64088 minrtt:16.163 snd_wnd:65536
ESTAB 0      53576       10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f3128,w70600,o0,bl0,d0) cubic wscale:10,10 rto:222 rtt:21.841/1.284 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:61 ssthresh:44 bytes_sent:21140837 bytes_retrans:72400 bytes_acked:21014862 segs_out:14603 segs_in:7432 data_segs_out:14601 send 32353097bps lastsnd:20 lastrcv:7886 pacing_rate 38822376bps delivery_rate 40920608bps delivered:14515 busy:7885ms sndbuf_limited:156ms(2.0%) unacked:37 retrans:0/50 rcv_space:14480 rcv_ssthresh:64088 minrtt:16 snd_wnd:365568
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:217 rtt:16.171/4.562 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 7163441bps lastsnd:8918 lastrcv:8869 lastack:8869 pacing_rate 14326104bps delivery_rate 1428712bps delivered:4 app_limited busy:32ms rcv_space:14480 rcv_ssthresh:64088 minrtt:16.163 snd_wnd:65536
ESTAB 0      70952       10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f4056,w94248,o0,bl0,d0) cubic wscale:10,10 rto:222 rtt:21.537/3.189 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 ssthresh:44 bytes_sent:23851493 bytes_retrans:76744 bytes_acked:23703798 segs_out:16475 segs_in:8370 data_segs_out:16473 send 31734039bps lastsnd:3 lastrcv:8886 pacing_rate 38080624bps delivery_rate 38264248bps delivered:16372 busy:8885ms sndbuf_limited:156ms(1.8%) unacked:49 retrans:0/53 rcv_space:14480 rcv_ssthresh:64088 minrtt:16 snd_wnd:365568
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:53936     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:217 rtt:16.171/4.562 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 7163441bps lastsnd:9918 lastrcv:9869 lastack:9869 pacing_rate 14326104bps delivery_rate 1428712bps delivered:4 app_limited busy:32ms rcv_space:14480 rcv_ssthresh:64088 minrtt:16.163 snd_wnd:65536
ESTAB 0      88328       10.0.0.1:53938     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb29729,f3576,w115208,o0,bl0,d0) cubic wscale:10,10 rto:224 rtt:23.592/2.974 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:57 ssthresh:44 bytes_sent:26644685 bytes_retrans:78192 bytes_acked:26483958 segs_out:18404 segs_in:9341 data_segs_out:18402 send 27987792bps lastsnd:1 lastrcv:9886 lastack:1 pacing_rate 33585344bps delivery_rate 35777176bps delivered:18292 busy:9885ms sndbuf_limited:156ms(1.6%) unacked:57 retrans:0/54 rcv_space:14480 rcv_ssthresh:64088 notsent:5792 minrtt:16 snd_wnd:365568
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
