09:38:44.468223395
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0          10.91.1.1:50062    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb69120,f0,w0,o0,bl0,d0) bbr wscale:10,10 rto:204 rtt:0.07/0.051 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:13 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 bbr:(bw:1448000000bps,mrtt:0.008,pacing_gain:2.88672,cwnd_gain:2.88672) send 2151314286bps lastsnd:1004 lastrcv:1004 lastack:1004 pacing_rate 5093130848bps delivery_rate 1448000000bps delivered:4 app_limited rcv_space:14480 rcv_ssthresh:64088 minrtt:0.008 snd_wnd:65536
ESTAB 0      72400      10.91.1.1:50076    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb96768,f3632,w82384,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.725/0.64 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:9 ssthresh:9 bytes_sent:2494941 bytes_retrans:85432 bytes_acked:2381998 segs_out:1726 segs_in:1062 data_segs_out:1724 send 22064762bps lastrcv:1004 pacing_rate 52951224bps delivery_rate 18501504bps delivered:1657 busy:1004ms unacked:19 retrans:5/59 lost:5 sacked:10 rcv_space:14480 rcv_ssthresh:64088 notsent:44888 minrtt:0.005 snd_wnd:81920
09:38:45.473836132
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0          10.91.1.1:50062    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb69120,f0,w0,o0,bl0,d0) bbr wscale:10,10 rto:204 rtt:0.07/0.051 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:13 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 bbr:(bw:1448000000bps,mrtt:0.008,pacing_gain:2.88672,cwnd_gain:2.88672) send 2151314286bps lastsnd:2012 lastrcv:2012 lastack:2012 pacing_rate 5093130848bps delivery_rate 1448000000bps delivered:4 app_limited rcv_space:14480 rcv_ssthresh:64088 minrtt:0.008 snd_wnd:65536
ESTAB 0      79640      10.91.1.1:50076    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb96768,f3048,w82968,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.619/0.284 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:8 ssthresh:7 bytes_sent:4960885 bytes_retrans:141904 bytes_acked:4810294 segs_out:3429 segs_in:2114 data_segs_out:3427 send 20063217bps lastrcv:2012 pacing_rate 24071296bps delivery_rate 19103688bps delivered:3324 busy:2012ms unacked:6 retrans:0/98 rcv_space:14480 rcv_ssthresh:64088 notsent:70952 minrtt:0.005 snd_wnd:82944
09:38:46.487499460
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0          10.91.1.1:50062    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb69120,f0,w0,o0,bl0,d0) bbr wscale:10,10 rto:204 rtt:0.07/0.051 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:13 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 bbr:(bw:1448000000bps,mrtt:0.008,pacing_gain:2.88672,cwnd_gain:2.88672) send 2151314286bps lastsnd:3024 lastrcv:3024 lastack:3024 pacing_rate 5093130848bps delivery_rate 1448000000bps delivered:4 app_limited rcv_space:14480 rcv_ssthresh:64088 minrtt:0.008 snd_wnd:65536
ESTAB 0      99912      10.91.1.1:50076    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb96768,f1592,w104904,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.765/0.393 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:8 ssthresh:7 bytes_sent:7431173 bytes_retrans:196928 bytes_acked:7222662 segs_out:5135 segs_in:3161 data_segs_out:5133 send 19448478bps lastrcv:3024 pacing_rate 23333888bps delivery_rate 16732968bps delivered:4990 busy:3024ms unacked:8 retrans:0/136 rcv_space:14480 rcv_ssthresh:64088 notsent:88328 minrtt:0.005 snd_wnd:82944
09:38:47.495371588
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0          10.91.1.1:50062    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb69120,f0,w0,o0,bl0,d0) bbr wscale:10,10 rto:204 rtt:0.07/0.051 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:13 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 bbr:(bw:1448000000bps,mrtt:0.008,pacing_gain:2.88672,cwnd_gain:2.88672) send 2151314286bps lastsnd:4032 lastrcv:4032 lastack:4032 pacing_rate 5093130848bps delivery_rate 1448000000bps delivered:4 app_limited rcv_space:14480 rcv_ssthresh:64088 minrtt:0.008 snd_wnd:65536
ESTAB 0      92672      10.91.1.1:50076    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb96768,f2304,w96000,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.288/0.611 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:9 ssthresh:7 bytes_sent:9907253 bytes_retrans:260640 bytes_acked:9635030 segs_out:6845 segs_in:4181 data_segs_out:6843 send 24313433bps lastrcv:4032 pacing_rate 29174416bps delivery_rate 19127344bps delivered:6656 busy:4032ms unacked:8 retrans:0/180 rcv_space:14480 rcv_ssthresh:64088 notsent:81088 minrtt:0.005 snd_wnd:81920
09:38:48.503652518
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0          10.91.1.1:50062    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb69120,f0,w0,o0,bl0,d0) bbr wscale:10,10 rto:204 rtt:0.07/0.051 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:13 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 bbr:(bw:1448000000bps,mrtt:0.008,pacing_gain:2.88672,cwnd_gain:2.88672) send 2151314286bps lastsnd:5040 lastrcv:5040 lastack:5040 pacing_rate 5093130848bps delivery_rate 1448000000bps delivered:4 app_limited rcv_space:14480 rcv_ssthresh:64088 minrtt:0.008 snd_wnd:65536
ESTAB 0      83984      10.91.1.1:50076    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb96768,f1968,w88144,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.557/0.512 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:11 ssthresh:7 bytes_sent:12386229 bytes_retrans:328696 bytes_acked:12041606 segs_out:8557 segs_in:5202 data_segs_out:8555 send 27962256bps lastrcv:5040 pacing_rate 33550104bps delivery_rate 19025248bps delivered:8318 busy:5040ms unacked:11 retrans:0/227 rcv_space:14480 rcv_ssthresh:64088 notsent:68056 minrtt:0.005 snd_wnd:82944
09:38:49.509174062
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0          10.91.1.1:50062    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb69120,f0,w0,o0,bl0,d0) bbr wscale:10,10 rto:204 rtt:0.07/0.051 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:13 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 bbr:(bw:1448000000bps,mrtt:0.008,pacing_gain:2.88672,cwnd_gain:2.88672) send 2151314286bps lastsnd:6044 lastrcv:6044 lastack:6044 pacing_rate 5093130848bps delivery_rate 1448000000bps delivered:4 app_limited rcv_space:14480 rcv_ssthresh:64088 minrtt:0.008 snd_wnd:65536
ESTAB 0      82536      10.91.1.1:50076    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb96768,f3416,w86696,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.507/0.384 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:8 ssthresh:7 bytes_sent:14843485 bytes_retrans:392408 bytes_acked:14439494 segs_out:10254 segs_in:6189 data_segs_out:10252 send 20561793bps lastrcv:6044 pacing_rate 24669360bps delivery_rate 19127344bps delivered:9974 busy:6044ms unacked:8 retrans:0/271 rcv_space:14480 rcv_ssthresh:64088 notsent:70952 minrtt:0.005 snd_wnd:82944
09:38:50.521884286
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0          10.91.1.1:50062    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb69120,f0,w0,o0,bl0,d0) bbr wscale:10,10 rto:204 rtt:0.07/0.051 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:13 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 bbr:(bw:1448000000bps,mrtt:0.008,pacing_gain:2.88672,cwnd_gain:2.88672) send 2151314286bps lastsnd:7060 lastrcv:7060 lastack:7060 pacing_rate 5093130848bps delivery_rate 1448000000bps delivered:4 app_limited rcv_space:14480 rcv_ssthresh:64088 minrtt:0.008 snd_wnd:65536
ESTAB 0      65160      10.91.1.1:50076    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb96768,f3576,w70152,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.533/0.235 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:7 ssthresh:7 bytes_sent:17326805 bytes_retrans:453224 bytes_acked:16866342 segs_out:11969 segs_in:7248 data_segs_out:11967 send 17888374bps lastsnd:4 lastrcv:7060 pacing_rate 21466048bps delivery_rate 16514864bps delivered:11650 busy:7060ms unacked:5 retrans:0/313 rcv_space:14480 rcv_ssthresh:64088 notsent:57920 minrtt:0.005 snd_wnd:81920
09:38:51.530184187
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0          10.91.1.1:50062    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb69120,f0,w0,o0,bl0,d0) bbr wscale:10,10 rto:204 rtt:0.07/0.051 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:13 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 bbr:(bw:1448000000bps,mrtt:0.008,pacing_gain:2.88672,cwnd_gain:2.88672) send 2151314286bps lastsnd:8068 lastrcv:8068 lastack:8068 pacing_rate 5093130848bps delivery_rate 1448000000bps delivered:4 app_limited rcv_space:14480 rcv_ssthresh:64088 minrtt:0.008 snd_wnd:65536
ESTAB 0      63712      10.91.1.1:50076    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb96768,f3424,w66208,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.336/1.422 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:8 ssthresh:7 bytes_sent:19797093 bytes_retrans:515488 bytes_acked:19275814 segs_out:13675 segs_in:8272 data_segs_out:13673 send 21372694bps lastrcv:8068 pacing_rate 25646488bps delivery_rate 25196296bps delivered:13314 busy:8068ms unacked:4 retrans:0/356 rcv_space:14480 rcv_ssthresh:64088 notsent:57920 minrtt:0.005 snd_wnd:82944
09:38:52.544243775
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0          10.91.1.1:50062    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb69120,f0,w0,o0,bl0,d0) bbr wscale:10,10 rto:204 rtt:0.07/0.051 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:13 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 bbr:(bw:1448000000bps,mrtt:0.008,pacing_gain:2.88672,cwnd_gain:2.88672) send 2151314286bps lastsnd:9084 lastrcv:9084 lastack:9084 pacing_rate 5093130848bps delivery_rate 1448000000bps delivered:4 app_limited rcv_space:14480 rcv_ssthresh:64088 minrtt:0.008 snd_wnd:65536
ESTAB 0      70952      10.91.1.1:50076    10.91.2.1:5201
	 skmem:(r0,rb131072,t0,tb96768,f3544,w74280,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.557/0.867 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:11 ssthresh:7 bytes_sent:22286205 bytes_retrans:571960 bytes_acked:21702662 segs_out:15394 segs_in:9306 data_segs_out:15392 send 27962256bps lastrcv:9084 pacing_rate 33548264bps delivery_rate 7244520bps delivered:14990 busy:9084ms unacked:8 retrans:0/395 rcv_space:14480 rcv_ssthresh:64088 notsent:59368 minrtt:0.005 snd_wnd:82944
09:38:53.559110423
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
