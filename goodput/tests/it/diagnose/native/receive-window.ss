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
Wed Nov 25 00:22:06 UTC 2026
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
Wed Nov 25 00:22:07 UTC 2026
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                       
ESTAB 0      0      10.78.109.138:54422 10.14.175.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.276/8.855 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:200 bytes_acked:201 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3703798bps lastsnd:636 lastrcv:544 lastack:544 pacing_rate 7407504bps delivery_rate 735112bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.242 snd_wnd:65536
ESTAB 0      36200  10.78.109.138:54426 10.14.175.139:5201
	 skmem:(r0,rb67584,t0,tb67584,f3800,w45352,o0,bl0,d0) reno wscale:0,0 rto:236 rtt:32.395/0.299 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:57 bytes_sent:640053 bytes_acked:603854 segs_out:445 segs_in:266 data_segs_out:443 send 20382405bps lastsnd:12 lastrcv:576 lastack:12 pacing_rate 40764176bps delivery_rate 10281544bps delivered:419 app_limited busy:576ms rwnd_limited:352ms(61.1%) sndbuf_limited:120ms(20.8%) unacked:25 rcv_space:14480 rcv_ssthresh:32344 minrtt:31.201 snd_wnd:40544
Wed Nov 25 00:22:08 UTC 2026
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.78.109.138:54422 10.14.175.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.276/8.855 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:200 bytes_acked:201 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3703798bps lastsnd:1636 lastrcv:1544 lastack:1544 pacing_rate 7407504bps delivery_rate 735112bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.242 snd_wnd:65536
ESTAB 0      36200  10.78.109.138:54426 10.14.175.139:5201
	 skmem:(r0,rb67584,t0,tb67584,f3800,w45352,o0,bl0,d0) reno wscale:0,0 rto:236 rtt:32.36/0.259 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 bytes_sent:1857821 bytes_acked:1821622 segs_out:1289 segs_in:785 data_segs_out:1287 send 21120396bps lastsnd:16 lastrcv:1576 lastack:16 pacing_rate 42239808bps delivery_rate 10522000bps delivered:1262 app_limited busy:1576ms rwnd_limited:1076ms(68.3%) sndbuf_limited:396ms(25.1%) unacked:26 rcv_space:14480 rcv_ssthresh:32344 minrtt:31.201 snd_wnd:40544
Wed Nov 25 00:22:09 UTC 2026
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.78.109.138:54422 10.14.175.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.276/8.855 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:200 bytes_acked:201 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3703798bps lastsnd:2636 lastrcv:2544 lastack:2544 pacing_rate 7407504bps delivery_rate 735112bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.242 snd_wnd:65536
ESTAB 0      40544  10.78.109.138:54426 10.14.175.139:5201
	 skmem:(r0,rb67584,t0,tb67584,f2720,w50528,o0,bl0,d0) reno wscale:0,0 rto:236 rtt:32.804/0.639 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 bytes_sent:3081829 bytes_acked:3041286 segs_out:2137 segs_in:1311 data_segs_out:2135 send 20834532bps lastsnd:20 lastrcv:2576 lastack:20 pacing_rate 41668264bps delivery_rate 10536520bps delivered:2108 app_limited busy:2576ms rwnd_limited:1760ms(68.3%) sndbuf_limited:708ms(27.5%) unacked:28 rcv_space:14480 rcv_ssthresh:32344 minrtt:31.201 snd_wnd:40544
Wed Nov 25 00:22:10 UTC 2026
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.78.109.138:54422 10.14.175.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.276/8.855 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:200 bytes_acked:201 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3703798bps lastsnd:3636 lastrcv:3544 lastack:3544 pacing_rate 7407504bps delivery_rate 735112bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.242 snd_wnd:65536
ESTAB 0      55024  10.78.109.138:54426 10.14.175.139:5201
	 skmem:(r0,rb67584,t0,tb67584,f2128,w67504,o0,bl0,d0) reno wscale:0,0 rto:236 rtt:32.131/0.18 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 bytes_sent:4314077 bytes_acked:4273534 segs_out:2988 segs_in:1830 data_segs_out:2986 send 21270922bps lastsnd:20 lastrcv:3576 lastack:20 pacing_rate 42541512bps delivery_rate 10536520bps delivered:2959 app_limited busy:3576ms rwnd_limited:2536ms(70.9%) sndbuf_limited:932ms(26.1%) unacked:28 rcv_space:14480 rcv_ssthresh:32344 notsent:14480 minrtt:31.201 snd_wnd:40544
Wed Nov 25 00:22:11 UTC 2026
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.78.109.138:54422 10.14.175.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.276/8.855 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:200 bytes_acked:201 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3703798bps lastsnd:4608 lastrcv:4516 lastack:4516 pacing_rate 7407504bps delivery_rate 735112bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.242 snd_wnd:65536
ESTAB 0      56472  10.78.109.138:54426 10.14.175.139:5201
	 skmem:(r0,rb67584,t0,tb67584,f1512,w68120,o0,bl0,d0) reno wscale:0,0 rto:236 rtt:33.222/1.805 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 bytes_sent:5513693 bytes_acked:5473150 segs_out:3820 segs_in:2351 data_segs_out:3818 send 20572392bps lastrcv:4548 pacing_rate 41143696bps delivery_rate 10536520bps delivered:3790 app_limited busy:4548ms rwnd_limited:3220ms(70.8%) sndbuf_limited:1212ms(26.6%) unacked:29 rcv_space:14480 rcv_ssthresh:32344 notsent:15928 minrtt:31.201 snd_wnd:40544
Wed Nov 25 00:22:12 UTC 2026
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.78.109.138:54422 10.14.175.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.276/8.855 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:200 bytes_acked:201 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3703798bps lastsnd:5624 lastrcv:5532 lastack:5532 pacing_rate 7407504bps delivery_rate 735112bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.242 snd_wnd:65536
ESTAB 0      37648  10.78.109.138:54426 10.14.175.139:5201
	 skmem:(r0,rb67584,t0,tb67584,f2352,w46800,o0,bl0,d0) reno wscale:0,0 rto:236 rtt:32.272/0.269 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 bytes_sent:6757053 bytes_acked:6719406 segs_out:4685 segs_in:2887 data_segs_out:4683 send 21177987bps lastrcv:5564 pacing_rate 42355480bps delivery_rate 10537840bps delivered:4658 app_limited busy:5564ms rwnd_limited:3896ms(70.0%) sndbuf_limited:1548ms(27.8%) unacked:26 rcv_space:14480 rcv_ssthresh:32344 minrtt:31.201 snd_wnd:40544
Wed Nov 25 00:22:13 UTC 2026
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.78.109.138:54422 10.14.175.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.276/8.855 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:200 bytes_acked:201 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3703798bps lastsnd:6604 lastrcv:6512 lastack:6512 pacing_rate 7407504bps delivery_rate 735112bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.242 snd_wnd:65536
ESTAB 0      53576  10.78.109.138:54426 10.14.175.139:5201
	 skmem:(r0,rb67584,t0,tb67584,f1144,w64392,o0,bl0,d0) reno wscale:0,0 rto:236 rtt:33.027/1.89 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 bytes_sent:7948757 bytes_acked:7908214 segs_out:5508 segs_in:3407 data_segs_out:5506 send 20693857bps lastsnd:4 lastrcv:6544 lastack:4 pacing_rate 41387712bps delivery_rate 10537840bps delivered:5479 app_limited busy:6544ms rwnd_limited:4536ms(69.3%) sndbuf_limited:1884ms(28.8%) unacked:28 rcv_space:14480 rcv_ssthresh:32344 notsent:13032 minrtt:31.201 snd_wnd:40544
Wed Nov 25 00:22:14 UTC 2026
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.78.109.138:54422 10.14.175.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.276/8.855 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:200 bytes_acked:201 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3703798bps lastsnd:7600 lastrcv:7508 lastack:7508 pacing_rate 7407504bps delivery_rate 735112bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.242 snd_wnd:65536
ESTAB 0      59368  10.78.109.138:54426 10.14.175.139:5201
	 skmem:(r0,rb67584,t0,tb67584,f2712,w71016,o0,bl0,d0) reno wscale:0,0 rto:236 rtt:32.239/0.185 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 bytes_sent:9167973 bytes_acked:9127430 segs_out:6354 segs_in:3917 data_segs_out:6352 send 21199665bps lastrcv:7540 pacing_rate 42399328bps delivery_rate 10557384bps delivered:6325 app_limited busy:7540ms rwnd_limited:5264ms(69.8%) sndbuf_limited:2152ms(28.5%) unacked:28 rcv_space:14480 rcv_ssthresh:32344 notsent:18824 minrtt:31.201 snd_wnd:40544
Wed Nov 25 00:22:15 UTC 2026
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.78.109.138:54422 10.14.175.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.276/8.855 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:200 bytes_acked:201 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3703798bps lastsnd:8596 lastrcv:8504 lastack:8504 pacing_rate 7407504bps delivery_rate 735112bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.242 snd_wnd:65536
ESTAB 0      43440  10.78.109.138:54426 10.14.175.139:5201
	 skmem:(r0,rb67584,t0,tb67584,f1424,w55920,o0,bl0,d0) reno wscale:0,0 rto:236 rtt:32.531/0.464 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 bytes_sent:10385741 bytes_acked:10348094 segs_out:7195 segs_in:4439 data_segs_out:7193 send 21009376bps lastrcv:8536 pacing_rate 42017616bps delivery_rate 10557384bps delivered:7168 app_limited busy:8536ms rwnd_limited:5904ms(69.2%) sndbuf_limited:2504ms(29.3%) unacked:26 rcv_space:14480 rcv_ssthresh:32344 notsent:5792 minrtt:31.201 snd_wnd:40544
Wed Nov 25 00:22:16 UTC 2026
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.78.109.138:54422 10.14.175.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.276/8.855 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:200 bytes_acked:201 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3703798bps lastsnd:9612 lastrcv:9520 lastack:9520 pacing_rate 7407504bps delivery_rate 735112bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.242 snd_wnd:65536
ESTAB 0      53576  10.78.109.138:54426 10.14.175.139:5201
	 skmem:(r0,rb67584,t0,tb67584,f2744,w66888,o0,bl0,d0) reno wscale:0,0 rto:236 rtt:32.598/0.448 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 bytes_sent:11642605 bytes_acked:11602062 segs_out:8063 segs_in:4966 data_segs_out:8061 send 20966194bps lastrcv:9552 pacing_rate 41932384bps delivery_rate 10557384bps delivered:8034 app_limited busy:9552ms rwnd_limited:6668ms(69.8%) sndbuf_limited:2752ms(28.8%) unacked:28 rcv_space:14480 rcv_ssthresh:32344 notsent:13032 minrtt:31.201 snd_wnd:40544
Wed Nov 25 00:22:17 UTC 2026
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      10.78.109.138:54422 10.14.175.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.276/8.855 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:200 bytes_acked:201 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3703798bps lastsnd:10632 lastrcv:10540 lastack:10540 pacing_rate 7407504bps delivery_rate 735112bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.242 snd_wnd:65536
ESTAB 0      60816  10.78.109.138:54426 10.14.175.139:5201
	 skmem:(r0,rb67584,t0,tb67584,f3760,w69968,o0,bl0,d0) reno wscale:0,0 rto:236 rtt:32.557/0.562 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 bytes_sent:12877749 bytes_acked:12837206 segs_out:8916 segs_in:5498 data_segs_out:8914 send 20992598bps lastrcv:10572 pacing_rate 41985192bps delivery_rate 10557384bps delivered:8887 app_limited busy:10572ms rwnd_limited:7348ms(69.5%) sndbuf_limited:3088ms(29.2%) unacked:28 rcv_space:14480 rcv_ssthresh:32344 notsent:20272 minrtt:31.201 snd_wnd:40544
Wed Nov 25 00:22:18 UTC 2026
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      10.78.109.138:54422 10.14.175.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.276/8.855 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:200 bytes_acked:201 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3703798bps lastsnd:11648 lastrcv:11556 lastack:11556 pacing_rate 7407504bps delivery_rate 735112bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.242 snd_wnd:65536
ESTAB 0      52128  10.78.109.138:54426 10.14.175.139:5201
	 skmem:(r0,rb67584,t0,tb67584,f1760,w63776,o0,bl0,d0) reno wscale:0,0 rto:236 rtt:32.574/0.65 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 bytes_sent:14131781 bytes_acked:14091238 segs_out:9784 segs_in:6033 data_segs_out:9782 send 20981642bps lastsnd:4 lastrcv:11588 lastack:4 pacing_rate 41963280bps delivery_rate 10557384bps delivered:9755 app_limited busy:11588ms rwnd_limited:8136ms(70.2%) sndbuf_limited:3312ms(28.6%) unacked:28 rcv_space:14480 rcv_ssthresh:32344 notsent:11584 minrtt:31.201 snd_wnd:40544
Wed Nov 25 00:22:19 UTC 2026
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      10.78.109.138:54422 10.14.175.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.276/8.855 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:200 bytes_acked:201 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3703798bps lastsnd:12664 lastrcv:12572 lastack:12572 pacing_rate 7407504bps delivery_rate 735112bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.242 snd_wnd:65536
ESTAB 0      36200  10.78.109.138:54426 10.14.175.139:5201
	 skmem:(r0,rb67584,t0,tb67584,f2136,w47016,o0,bl0,d0) reno wscale:0,0 rto:236 rtt:33.605/2.241 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 bytes_sent:15366925 bytes_acked:15330726 segs_out:10637 segs_in:6559 data_segs_out:10635 send 20337926bps lastsnd:4 lastrcv:12604 pacing_rate 40675240bps delivery_rate 10557384bps delivered:10611 app_limited busy:12604ms rwnd_limited:8840ms(70.1%) sndbuf_limited:3624ms(28.8%) unacked:25 rcv_space:14480 rcv_ssthresh:32344 minrtt:31.201 snd_wnd:40544
Wed Nov 25 00:22:20 UTC 2026
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      10.78.109.138:54422 10.14.175.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.276/8.855 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:200 bytes_acked:201 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3703798bps lastsnd:13656 lastrcv:13564 lastack:13564 pacing_rate 7407504bps delivery_rate 735112bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.242 snd_wnd:65536
ESTAB 0      49232  10.78.109.138:54426 10.14.175.139:5201
	 skmem:(r0,rb67584,t0,tb67584,f1392,w60048,o0,bl0,d0) reno wscale:0,0 rto:236 rtt:32.396/0.321 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 bytes_sent:16575925 bytes_acked:16535382 segs_out:11473 segs_in:7073 data_segs_out:11471 send 21096926bps lastsnd:12 lastrcv:13596 lastack:12 pacing_rate 42193192bps delivery_rate 10557384bps delivered:11444 app_limited busy:13596ms rwnd_limited:9568ms(70.4%) sndbuf_limited:3884ms(28.6%) unacked:28 rcv_space:14480 rcv_ssthresh:32344 notsent:8688 minrtt:31.201 snd_wnd:40544
Wed Nov 25 00:22:21 UTC 2026
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      10.78.109.138:54422 10.14.175.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.276/8.855 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:200 bytes_acked:201 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3703798bps lastsnd:14620 lastrcv:14528 lastack:14528 pacing_rate 7407504bps delivery_rate 735112bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.242 snd_wnd:65536
ESTAB 0      50680  10.78.109.138:54426 10.14.175.139:5201
	 skmem:(r0,rb67584,t0,tb67584,f4040,w61496,o0,bl0,d0) reno wscale:0,0 rto:236 rtt:32.204/0.169 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 bytes_sent:17753149 bytes_acked:17712606 segs_out:12286 segs_in:7580 data_segs_out:12284 send 21222705bps lastsnd:12 lastrcv:14560 lastack:12 pacing_rate 42445408bps delivery_rate 10557384bps delivered:12257 app_limited busy:14560ms rwnd_limited:10228ms(70.2%) sndbuf_limited:4184ms(28.7%) unacked:28 rcv_space:14480 rcv_ssthresh:32344 notsent:10136 minrtt:31.201 snd_wnd:40544
Wed Nov 25 00:22:22 UTC 2026
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
