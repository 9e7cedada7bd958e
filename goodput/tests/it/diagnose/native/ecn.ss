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
net.ipv4.tcp_ecn = 1
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
net.ipv4.tcp_wmem = 4096	16384	4194304
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
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      0       10.145.34.14:55380 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:212 rtt:11.223/3.187 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 10321661bps lastsnd:668 lastrcv:632 lastack:632 pacing_rate 20642168bps delivery_rate 2069304bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.14 snd_wnd:40448
ESTAB 0      33304   10.145.34.14:55388 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb55296,f3496,w37464,o0,bl0,d0) reno wscale:7,10 rto:216 rtt:12.932/3.028 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:4 ssthresh:2 bytes_sent:228821 bytes_acked:223030 segs_out:161 segs_in:115 data_segs_out:159 send 3583050bps lastrcv:644 pacing_rate 4299576bps delivery_rate 3078392bps delivered:156 delivered_ce:82 busy:644ms unacked:4 rcv_space:14480 rcv_ssthresh:64088 notsent:27512 minrtt:11.103 snd_wnd:50560     
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       10.145.34.14:55380 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:212 rtt:11.223/3.187 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 10321661bps lastsnd:1668 lastrcv:1632 lastack:1632 pacing_rate 20642168bps delivery_rate 2069304bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.14 snd_wnd:40448
ESTAB 0      37648   10.145.34.14:55388 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb55296,f3248,w41808,o0,bl0,d0) reno wscale:7,10 rto:216 rtt:13.426/3.828 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:3 ssthresh:2 bytes_sent:543037 bytes_acked:538694 segs_out:378 segs_in:271 data_segs_out:376 send 2588411bps lastsnd:4 lastrcv:1644 lastack:4 pacing_rate 3106000bps delivery_rate 2070232bps delivered:374 delivered_ce:191 busy:1644ms unacked:3 rcv_space:14480 rcv_ssthresh:64088 notsent:33304 minrtt:11.103 snd_wnd:50560
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       10.145.34.14:55380 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:212 rtt:11.223/3.187 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 10321661bps lastsnd:2668 lastrcv:2632 lastack:2632 pacing_rate 20642168bps delivery_rate 2069304bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.14 snd_wnd:40448
ESTAB 0      44888   10.145.34.14:55388 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb55296,f936,w48216,o0,bl0,d0) reno wscale:7,10 rto:216 rtt:12.051/1.475 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:2 ssthresh:2 bytes_sent:854357 bytes_acked:851462 segs_out:593 segs_in:415 data_segs_out:591 send 1922496bps lastsnd:8 lastrcv:2644 lastack:8 pacing_rate 2306920bps delivery_rate 1031792bps delivered:590 delivered_ce:298 busy:2644ms unacked:2 rcv_space:14480 rcv_ssthresh:64088 notsent:41992 minrtt:11.103 snd_wnd:50560
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       10.145.34.14:55380 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:212 rtt:11.223/3.187 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 10321661bps lastsnd:3668 lastrcv:3632 lastack:3632 pacing_rate 20642168bps delivery_rate 2069304bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.14 snd_wnd:40448
ESTAB 0      44888   10.145.34.14:55388 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb55296,f104,w49048,o0,bl0,d0) reno wscale:7,10 rto:212 rtt:11.3/0.036 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:3 ssthresh:2 bytes_sent:1178709 bytes_acked:1174366 segs_out:817 segs_in:577 data_segs_out:815 send 3075398bps lastsnd:8 lastrcv:3644 lastack:8 pacing_rate 3690432bps delivery_rate 2054264bps delivered:813 delivered_ce:408 busy:3644ms unacked:3 rcv_space:14480 rcv_ssthresh:64088 notsent:40544 minrtt:11.103 snd_wnd:49152
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       10.145.34.14:55380 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:212 rtt:11.223/3.187 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 10321661bps lastsnd:4668 lastrcv:4632 lastack:4632 pacing_rate 20642168bps delivery_rate 2069304bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.14 snd_wnd:40448
ESTAB 0      44888   10.145.34.14:55388 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb55296,f936,w48216,o0,bl0,d0) reno wscale:7,10 rto:216 rtt:12.353/1.92 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:2 ssthresh:2 bytes_sent:1498717 bytes_acked:1495822 segs_out:1038 segs_in:736 data_segs_out:1036 send 1875496bps lastrcv:4644 pacing_rate 2250496bps delivery_rate 4077792bps delivered:1035 delivered_ce:518 busy:4644ms unacked:2 rcv_space:14480 rcv_ssthresh:64088 notsent:41992 minrtt:11.103 snd_wnd:49152  
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       10.145.34.14:55380 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:212 rtt:11.223/3.187 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 10321661bps lastsnd:5696 lastrcv:5660 lastack:5660 pacing_rate 20642168bps delivery_rate 2069304bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.14 snd_wnd:40448
ESTAB 0      41992   10.145.34.14:55388 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb55296,f3832,w45320,o0,bl0,d0) reno wscale:7,10 rto:212 rtt:11.801/0.915 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:2 ssthresh:2 bytes_sent:1823069 bytes_acked:1820174 segs_out:1262 segs_in:894 data_segs_out:1260 send 1963223bps lastsnd:8 lastrcv:5672 lastack:8 pacing_rate 2355864bps delivery_rate 3052168bps delivered:1259 delivered_ce:629 busy:5672ms unacked:2 rcv_space:14480 rcv_ssthresh:64088 notsent:39096 minrtt:11.103 snd_wnd:49152
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       10.145.34.14:55380 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:212 rtt:11.223/3.187 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 10321661bps lastsnd:6668 lastrcv:6632 lastack:6632 pacing_rate 20642168bps delivery_rate 2069304bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.14 snd_wnd:40448
ESTAB 0      36200   10.145.34.14:55388 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb55296,f600,w40360,o0,bl0,d0) reno wscale:7,10 rto:212 rtt:11.345/0.082 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:3 ssthresh:2 bytes_sent:2127149 bytes_acked:2122806 segs_out:1472 segs_in:1036 data_segs_out:1470 send 3063200bps lastsnd:8 lastrcv:6644 lastack:8 pacing_rate 3675832bps delivery_rate 3069960bps delivered:1468 delivered_ce:731 busy:6644ms unacked:3 rcv_space:14480 rcv_ssthresh:64088 notsent:31856 minrtt:11.103 snd_wnd:50560
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       10.145.34.14:55380 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:212 rtt:11.223/3.187 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 10321661bps lastsnd:7672 lastrcv:7636 lastack:7636 pacing_rate 20642168bps delivery_rate 2069304bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.14 snd_wnd:40448
ESTAB 0      44888   10.145.34.14:55388 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb55296,f936,w48216,o0,bl0,d0) reno wscale:7,10 rto:212 rtt:11.732/0.759 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:3 ssthresh:2 bytes_sent:2438469 bytes_acked:2434126 segs_out:1687 segs_in:1183 data_segs_out:1685 send 2962155bps lastsnd:8 lastrcv:7648 lastack:8 pacing_rate 3554504bps delivery_rate 3050288bps delivered:1683 delivered_ce:836 busy:7648ms unacked:3 rcv_space:14480 rcv_ssthresh:64088 notsent:40544 minrtt:11.103 snd_wnd:50560
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       10.145.34.14:55380 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:212 rtt:11.223/3.187 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 10321661bps lastsnd:8672 lastrcv:8636 lastack:8636 pacing_rate 20642168bps delivery_rate 2069304bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.14 snd_wnd:40448
ESTAB 0      43440   10.145.34.14:55388 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb55296,f2384,w46768,o0,bl0,d0) reno wscale:7,10 rto:212 rtt:11.288/0.059 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:2 ssthresh:2 bytes_sent:2759925 bytes_acked:2757030 segs_out:1909 segs_in:1345 data_segs_out:1907 send 2052445bps lastsnd:12 lastrcv:8648 lastack:12 pacing_rate 2462848bps delivery_rate 2044288bps delivered:1906 delivered_ce:943 busy:8648ms unacked:2 rcv_space:14480 rcv_ssthresh:64088 notsent:40544 minrtt:11.103 snd_wnd:50560
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       10.145.34.14:55380 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:7,10 rto:212 rtt:11.223/3.187 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 10321661bps lastsnd:9672 lastrcv:9636 lastack:9636 pacing_rate 20642168bps delivery_rate 2069304bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:11.14 snd_wnd:40448
ESTAB 0      46336   10.145.34.14:55388 10.223.92.15:5201
	 skmem:(r0,rb131072,t0,tb55296,f2752,w50496,o0,bl0,d0) reno wscale:7,10 rto:216 rtt:13.113/3.272 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:4 ssthresh:2 bytes_sent:3079933 bytes_acked:3074142 segs_out:2130 segs_in:1494 data_segs_out:2128 send 3533593bps lastsnd:8 lastrcv:9652 lastack:8 pacing_rate 4240304bps delivery_rate 3076480bps delivered:2125 delivered_ce:1050 busy:9652ms unacked:4 rcv_space:14480 rcv_ssthresh:64088 notsent:40544 minrtt:11.103 snd_wnd:50560
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
