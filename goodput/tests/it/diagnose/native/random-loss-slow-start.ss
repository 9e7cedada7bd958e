net.ipv4.tcp_abort_on_overflow = 0
net.ipv4.tcp_adv_win_scale = 1
net.ipv4.tcp_allowed_congestion_control = reno bbr cubic
net.ipv4.tcp_app_win = 31
net.ipv4.tcp_autocorking = 1
net.ipv4.tcp_available_congestion_control = reno bbr cubic
net.ipv4.tcp_backlog_ack_defer = 1
net.ipv4.tcp_base_mss = 1024
net.ipv4.tcp_challenge_ack_limit = 2147483647
net.ipv4.tcp_child_ehash_entries = 0
net.ipv4.tcp_comp_sack_delay_ns = 1000000
net.ipv4.tcp_comp_sack_nr = 44
net.ipv4.tcp_comp_sack_slack_ns = 100000
net.ipv4.tcp_congestion_control = cubic
net.ipv4.tcp_dsack = 1
net.ipv4.tcp_early_demux = 1
net.ipv4.tcp_early_retrans = 3
net.ipv4.tcp_ecn = 2
net.ipv4.tcp_ecn_fallback = 1
net.ipv4.tcp_ecn_option = 2
net.ipv4.tcp_ecn_option_beacon = 3
net.ipv4.tcp_ehash_entries = -262144
net.ipv4.tcp_fack = 0
net.ipv4.tcp_fastopen = 1
net.ipv4.tcp_fastopen_blackhole_timeout_sec = 0
net.ipv4.tcp_fastopen_key = 00000000-00000000-00000000-00000000
net.ipv4.tcp_fin_timeout = 60
net.ipv4.tcp_frto = 2
net.ipv4.tcp_fwmark_accept = 0
net.ipv4.tcp_invalid_ratelimit = 500
net.ipv4.tcp_keepalive_intvl = 75
net.ipv4.tcp_keepalive_probes = 9
net.ipv4.tcp_keepalive_time = 7200
net.ipv4.tcp_l3mdev_accept = 0
net.ipv4.tcp_limit_output_bytes = 4194304
net.ipv4.tcp_max_reordering = 300
net.ipv4.tcp_max_syn_backlog = 2048
net.ipv4.tcp_max_tw_buckets = 131072
net.ipv4.tcp_migrate_req = 0
net.ipv4.tcp_min_rtt_wlen = 300
net.ipv4.tcp_min_snd_mss = 48
net.ipv4.tcp_min_tso_segs = 2
net.ipv4.tcp_moderate_rcvbuf = 1
net.ipv4.tcp_mtu_probe_floor = 48
net.ipv4.tcp_mtu_probing = 0
net.ipv4.tcp_no_metrics_save = 0
net.ipv4.tcp_no_ssthresh_metrics_save = 1
net.ipv4.tcp_notsent_lowat = 4294967295
net.ipv4.tcp_orphan_retries = 0
net.ipv4.tcp_pacing_ca_ratio = 120
net.ipv4.tcp_pacing_ss_ratio = 200
net.ipv4.tcp_pingpong_thresh = 1
net.ipv4.tcp_plb_cong_thresh = 128
net.ipv4.tcp_plb_enabled = 0
net.ipv4.tcp_plb_idle_rehash_rounds = 3
net.ipv4.tcp_plb_rehash_rounds = 12
net.ipv4.tcp_plb_suspend_rto_sec = 60
net.ipv4.tcp_probe_interval = 600
net.ipv4.tcp_probe_threshold = 8
net.ipv4.tcp_recovery = 1
net.ipv4.tcp_reflect_tos = 0
net.ipv4.tcp_reordering = 3
net.ipv4.tcp_retrans_collapse = 1
net.ipv4.tcp_retries1 = 3
net.ipv4.tcp_retries2 = 15
net.ipv4.tcp_rfc1337 = 0
net.ipv4.tcp_rmem = 4096	131072	33554432
net.ipv4.tcp_rto_max_ms = 120000
net.ipv4.tcp_rto_min_us = 200000
net.ipv4.tcp_sack = 1
net.ipv4.tcp_shrink_window = 0
net.ipv4.tcp_slow_start_after_idle = 1
net.ipv4.tcp_stdurg = 0
net.ipv4.tcp_syn_linear_timeouts = 4
net.ipv4.tcp_syn_retries = 6
net.ipv4.tcp_synack_retries = 5
net.ipv4.tcp_syncookies = 1
net.ipv4.tcp_thin_linear_timeouts = 0
net.ipv4.tcp_timestamps = 1
net.ipv4.tcp_tso_rtt_log = 9
net.ipv4.tcp_tso_win_divisor = 3
net.ipv4.tcp_tw_reuse = 2
net.ipv4.tcp_tw_reuse_delay = 1000
net.ipv4.tcp_window_scaling = 1
net.ipv4.tcp_wmem = 4096	16384	1220912
net.ipv4.tcp_workaround_signed_windows = 0
net.mptcp.add_addr_timeout = 120
net.mptcp.allow_join_initial_addr_port = 1
net.mptcp.available_path_managers = kernel userspace
net.mptcp.available_schedulers = default
net.mptcp.blackhole_timeout = 3600
net.mptcp.checksum_enabled = 0
net.mptcp.close_timeout = 60
net.mptcp.enabled = 1
net.mptcp.path_manager = kernel
net.mptcp.pm_type = 0
net.mptcp.scheduler = default
net.mptcp.stale_loss_cnt = 4
net.mptcp.syn_retrans_before_tcp_fallback = 2
net.netfilter.nf_conntrack_tcp_be_liberal = 0
net.netfilter.nf_conntrack_tcp_ignore_invalid_rst = 0
net.netfilter.nf_conntrack_tcp_loose = 1
net.netfilter.nf_conntrack_tcp_max_retrans = 3
net.netfilter.nf_conntrack_tcp_timeout_close = 10
net.netfilter.nf_conntrack_tcp_timeout_close_wait = 60
net.netfilter.nf_conntrack_tcp_timeout_established = 432000
net.netfilter.nf_conntrack_tcp_timeout_fin_wait = 120
net.netfilter.nf_conntrack_tcp_timeout_last_ack = 30
net.netfilter.nf_conntrack_tcp_timeout_max_retrans = 300
net.netfilter.nf_conntrack_tcp_timeout_syn_recv = 60
net.netfilter.nf_conntrack_tcp_timeout_syn_sent = 120
net.netfilter.nf_conntrack_tcp_timeout_time_wait = 120
net.netfilter.nf_conntrack_tcp_timeout_unacknowledged = 300
2026-11-26T18:05:14+00:00
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
2026-11-26T18:05:15+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                         
ESTAB 0      0      192.168.81.89:54836 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.231/27.081 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1203770bps lastsnd:476 lastrcv:188 lastack:188 pacing_rate 2407520bps delivery_rate 240720bps delivered:4 app_limited busy:192ms rcv_space:14480 rcv_ssthresh:64088 minrtt:96.176 snd_wnd:65536
ESTAB 0      31856  192.168.81.89:54846 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb46080,f4048,w41008,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.728/2.578 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:20 bytes_sent:43477 bytes_acked:14518 segs_out:33 segs_in:12 data_segs_out:31 send 2395170bps lastsnd:92 lastrcv:284 lastack:92 pacing_rate 4790312bps delivery_rate 1189440bps delivered:12 app_limited busy:284ms unacked:20 rcv_space:14480 rcv_ssthresh:64088 notsent:2896 minrtt:96.174 snd_wnd:80896  
2026-11-26T18:05:16+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0       192.168.81.89:54836 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.231/27.081 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1203770bps lastsnd:1476 lastrcv:1188 lastack:1188 pacing_rate 2407520bps delivery_rate 240720bps delivered:4 app_limited busy:192ms rcv_space:14480 rcv_ssthresh:64088 minrtt:96.176 snd_wnd:65536
ESTAB 0      1637160 192.168.81.89:54846 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb1220912,f728,w1723688,o0,bl0,d0) cubic wscale:10,10 rto:316 rtt:115.899/2.047 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1153 ssthresh:1018 bytes_sent:7016189 bytes_acked:5379030 segs_out:4851 segs_in:2858 data_segs_out:4849 send 115241305bps lastsnd:4 lastrcv:1284 pacing_rate 138288816bps delivery_rate 80503488bps delivered:3719 app_limited busy:1284ms unacked:1131 rcv_space:14480 rcv_ssthresh:64088 minrtt:96.174 snd_wnd:5711872
2026-11-26T18:05:17+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0       192.168.81.89:54836 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.231/27.081 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1203770bps lastsnd:2480 lastrcv:2192 lastack:2192 pacing_rate 2407520bps delivery_rate 240720bps delivered:4 app_limited busy:192ms rcv_space:14480 rcv_ssthresh:64088 minrtt:96.176 snd_wnd:65536
ESTAB 0      1197496 192.168.81.89:54846 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb1220912,f1416,w1276536,o0,bl0,d0) cubic wscale:10,10 rto:308 rtt:106.004/1.662 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:422 ssthresh:422 bytes_sent:12803517 bytes_retrans:8688 bytes_acked:12183774 segs_out:8850 segs_in:4795 data_segs_out:8848 send 46115694bps lastsnd:40 lastrcv:2288 lastack:40 pacing_rate 55338368bps delivery_rate 89879224bps delivered:8421 app_limited busy:2288ms unacked:422 retrans:0/6 rcv_space:14480 rcv_ssthresh:64088 notsent:586440 minrtt:96 snd_wnd:7165952
2026-11-26T18:05:18+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      192.168.81.89:54836 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.231/27.081 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1203770bps lastsnd:3476 lastrcv:3188 lastack:3188 pacing_rate 2407520bps delivery_rate 240720bps delivered:4 app_limited busy:192ms rcv_space:14480 rcv_ssthresh:64088 minrtt:96.176 snd_wnd:65536
ESTAB 0      732688 192.168.81.89:54846 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb1220912,f2416,w820880,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:97.298/0.316 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:296 ssthresh:226 bytes_sent:17798397 bytes_retrans:11584 bytes_acked:17224990 segs_out:12300 segs_in:6757 data_segs_out:12298 send 35240848bps lastrcv:3284 pacing_rate 54861216bps delivery_rate 38405944bps delivered:11995 busy:3284ms unacked:388 retrans:1/8 lost:1 sacked:92 rcv_space:14480 rcv_ssthresh:64088 notsent:170864 minrtt:96 snd_wnd:7945216
2026-11-26T18:05:19+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0       192.168.81.89:54836 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.231/27.081 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1203770bps lastsnd:4476 lastrcv:4188 lastack:4188 pacing_rate 2407520bps delivery_rate 240720bps delivered:4 app_limited busy:192ms rcv_space:14480 rcv_ssthresh:64088 minrtt:96.176 snd_wnd:65536
ESTAB 0      1184464 192.168.81.89:54846 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb1220912,f880,w1240208,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:97.365/0.07 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:93 ssthresh:84 bytes_sent:20381629 bytes_retrans:15928 bytes_acked:20096374 segs_out:14084 segs_in:7548 data_segs_out:14082 send 11064674bps lastsnd:20 lastrcv:4284 lastack:20 pacing_rate 26269472bps delivery_rate 14275672bps delivered:13979 busy:4284ms unacked:186 retrans:1/11 lost:1 sacked:93 rcv_space:14480 rcv_ssthresh:64088 notsent:915136 minrtt:96 snd_wnd:7946240
2026-11-26T18:05:20+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0       192.168.81.89:54836 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.231/27.081 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1203770bps lastsnd:5476 lastrcv:5188 lastack:5188 pacing_rate 2407520bps delivery_rate 240720bps delivered:4 app_limited busy:192ms rcv_space:14480 rcv_ssthresh:64088 minrtt:96.176 snd_wnd:65536
ESTAB 0      1126544 192.168.81.89:54846 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb1220912,f4080,w1171472,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.99/0.89 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:68 ssthresh:65 bytes_sent:21637045 bytes_retrans:17376 bytes_acked:21522654 segs_out:14951 segs_in:7983 data_segs_out:14949 send 8121580bps lastsnd:4 lastrcv:5284 lastack:4 pacing_rate 9745800bps delivery_rate 7909784bps delivered:14871 busy:5284ms unacked:67 retrans:0/12 rcv_space:14480 rcv_ssthresh:64088 notsent:1029528 minrtt:96 snd_wnd:7946240
2026-11-26T18:05:21+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      192.168.81.89:54836 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.231/27.081 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1203770bps lastsnd:6476 lastrcv:6188 lastack:6188 pacing_rate 2407520bps delivery_rate 240720bps delivered:4 app_limited busy:192ms rcv_space:14480 rcv_ssthresh:64088 minrtt:96.176 snd_wnd:65536
ESTAB 0      958576 192.168.81.89:54846 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb1220912,f848,w1002672,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.488/0.076 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:76 ssthresh:65 bytes_sent:22730285 bytes_retrans:17376 bytes_acked:22602862 segs_out:15706 segs_in:8376 data_segs_out:15704 send 9124285bps lastsnd:4 lastrcv:6284 lastack:4 pacing_rate 10949064bps delivery_rate 9132992bps delivered:15617 busy:6284ms unacked:76 retrans:0/12 rcv_space:14480 rcv_ssthresh:64088 notsent:848528 minrtt:96 snd_wnd:7946240
2026-11-26T18:05:22+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0       192.168.81.89:54836 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.231/27.081 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1203770bps lastsnd:7532 lastrcv:7244 lastack:7244 pacing_rate 2407520bps delivery_rate 240720bps delivered:4 app_limited busy:192ms rcv_space:14480 rcv_ssthresh:64088 minrtt:96.176 snd_wnd:65536
ESTAB 0      1216320 192.168.81.89:54846 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb1220912,f3776,w1249600,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.741/0.342 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:39 ssthresh:38 bytes_sent:23790221 bytes_retrans:20272 bytes_acked:23713478 segs_out:16438 segs_in:8738 data_segs_out:16436 send 4669954bps lastrcv:7340 pacing_rate 5603944bps delivery_rate 4543400bps delivered:16384 busy:7340ms unacked:39 retrans:0/14 rcv_space:14480 rcv_ssthresh:64088 notsent:1159848 minrtt:96 snd_wnd:7946240
2026-11-26T18:05:23+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0       192.168.81.89:54836 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.231/27.081 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1203770bps lastsnd:8472 lastrcv:8184 lastack:8184 pacing_rate 2407520bps delivery_rate 240720bps delivered:4 app_limited busy:192ms rcv_space:14480 rcv_ssthresh:64088 minrtt:96.176 snd_wnd:65536
ESTAB 0      1072968 192.168.81.89:54846 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb1220912,f2936,w1107080,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:97.147/1.199 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:45 ssthresh:38 bytes_sent:24398381 bytes_retrans:20272 bytes_acked:24312950 segs_out:16858 segs_in:8964 data_segs_out:16856 send 5365889bps lastsnd:4 lastrcv:8280 lastack:4 pacing_rate 6439056bps delivery_rate 5405840bps delivered:16798 busy:8280ms unacked:45 retrans:0/14 rcv_space:14480 rcv_ssthresh:64088 notsent:1007808 minrtt:96 snd_wnd:7946240
2026-11-26T18:05:24+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      192.168.81.89:54836 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.231/27.081 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 1203770bps lastsnd:9476 lastrcv:9188 lastack:9188 pacing_rate 2407520bps delivery_rate 240720bps delivered:4 app_limited busy:192ms rcv_space:14480 rcv_ssthresh:64088 minrtt:96.176 snd_wnd:65536
ESTAB 0      838392 192.168.81.89:54846 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb1220912,f2440,w870008,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.798/0.469 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:49 ssthresh:38 bytes_sent:25094869 bytes_retrans:20272 bytes_acked:25003646 segs_out:17339 segs_in:9216 data_segs_out:17337 send 5863923bps lastsnd:4 lastrcv:9284 lastack:4 pacing_rate 7036648bps delivery_rate 5750424bps delivered:17275 busy:9284ms unacked:49 retrans:0/14 rcv_space:14480 rcv_ssthresh:64088 notsent:767440 minrtt:96 snd_wnd:7946240
2026-11-26T18:05:25+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess
ESTAB 0      293    192.168.81.89:54836 192.168.138.90:5201
	 skmem:(r0,rb131072,t0,tb46080,f2139,w1957,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.238/20.325 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:459 bytes_acked:167 bytes_received:5 segs_out:13 segs_in:8 data_segs_out:6 data_segs_in:5 send 1203683bps lastsnd:88 lastrcv:88 lastack:88 pacing_rate 2407352bps delivery_rate 240720bps delivered:5 app_limited busy:376ms unacked:2 rcv_space:14480 rcv_ssthresh:64088 minrtt:96.176 snd_wnd:65536
2026-11-26T18:05:26+00:00
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
