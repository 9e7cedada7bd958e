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
2026-11-25T00:23:01+00:00
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
2026-11-25T00:23:02+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      436    192.168.50.46:33166 192.168.14.47:7000
	 skmem:(r0,rb131072,t0,tb46080,f1996,w2100,o0,bl0,d0) cubic wscale:10,10 rto:224 rtt:22.994/23.271 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4399 bytes_acked:4361 bytes_received:160 segs_out:24 segs_in:31 data_segs_out:21 data_segs_in:10 send 5037836bps lastsnd:20 lastrcv:20 lastack:20 pacing_rate 10075336bps delivery_rate 2812328bps delivered:21 app_limited busy:500ms unacked:1 rcv_space:14480 rcv_ssthresh:64088 notsent:397 minrtt:4.119 snd_wnd:65536
2026-11-25T00:23:03+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      436    192.168.50.46:33166 192.168.14.47:7000
	 skmem:(r0,rb131072,t0,tb46080,f1996,w2100,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:25.492/24.864 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:13119 bytes_acked:13081 bytes_received:480 segs_out:64 segs_in:91 data_segs_out:61 data_segs_in:30 send 4544171bps lastsnd:28 lastrcv:28 lastack:28 pacing_rate 9088160bps delivery_rate 2812328bps delivered:61 app_limited busy:1564ms unacked:1 rcv_space:14480 rcv_ssthresh:64088 notsent:397 minrtt:4.119 snd_wnd:65536
2026-11-25T00:23:04+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      436    192.168.50.46:33166 192.168.14.47:7000
	 skmem:(r0,rb131072,t0,tb46080,f1996,w2100,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:25.086/23.544 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:20967 bytes_acked:20929 bytes_received:768 segs_out:100 segs_in:145 data_segs_out:97 data_segs_in:48 send 4617715bps pacing_rate 9235384bps delivery_rate 2812328bps delivered:97 app_limited busy:2496ms unacked:1 rcv_space:14480 rcv_ssthresh:64088 notsent:397 minrtt:4.119 snd_wnd:65536
2026-11-25T00:23:05+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      436    192.168.50.46:33166 192.168.14.47:7000
	 skmem:(r0,rb131072,t0,tb46080,f1996,w2100,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:24.717/22.491 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:29251 bytes_acked:29213 bytes_received:1072 segs_out:138 segs_in:202 data_segs_out:135 data_segs_in:67 send 4686653bps pacing_rate 9372968bps delivery_rate 2812328bps delivered:135 app_limited busy:3492ms unacked:1 rcv_space:14480 rcv_ssthresh:64088 notsent:397 minrtt:4.119 snd_wnd:65536
2026-11-25T00:23:06+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      397    192.168.50.46:33166 192.168.14.47:7000
	 skmem:(r0,rb131072,t0,tb46080,f2867,w1229,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:27.587/23.381 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:38804 bytes_acked:38408 bytes_received:1408 segs_out:181 segs_in:266 data_segs_out:178 data_segs_in:88 send 4199079bps lastrcv:48 pacing_rate 8398152bps delivery_rate 2812328bps delivered:178 app_limited busy:4636ms unacked:1 rcv_space:14480 rcv_ssthresh:64088 minrtt:4.119 snd_wnd:65536
2026-11-25T00:23:07+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      436    192.168.50.46:33166 192.168.14.47:7000
	 skmem:(r0,rb131072,t0,tb46080,f1996,w2100,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:24.476/22.868 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:45819 bytes_acked:45781 bytes_received:1680 segs_out:214 segs_in:316 data_segs_out:211 data_segs_in:105 send 4732799bps lastsnd:28 lastrcv:28 lastack:28 pacing_rate 9465400bps delivery_rate 2812328bps delivered:211 app_limited busy:5508ms unacked:1 rcv_space:14480 rcv_ssthresh:64088 notsent:397 minrtt:4.119 snd_wnd:65536
2026-11-25T00:23:08+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      436    192.168.50.46:33166 192.168.14.47:7000
	 skmem:(r0,rb131072,t0,tb46080,f1996,w2100,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:24.708/23.308 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:54539 bytes_acked:54501 bytes_received:2000 segs_out:254 segs_in:376 data_segs_out:251 data_segs_in:125 send 4688360bps lastsnd:12 lastrcv:12 lastack:12 pacing_rate 9376528bps delivery_rate 2812328bps delivered:251 app_limited busy:6544ms unacked:1 rcv_space:14480 rcv_ssthresh:64088 notsent:397 minrtt:4.119 snd_wnd:65536
2026-11-25T00:23:10+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      436    192.168.50.46:33166 192.168.14.47:7000
	 skmem:(r0,rb131072,t0,tb46080,f1996,w2100,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:24.539/23.044 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:64131 bytes_acked:64093 bytes_received:2352 segs_out:298 segs_in:442 data_segs_out:295 data_segs_in:147 send 4720649bps lastsnd:16 lastrcv:16 lastack:16 pacing_rate 9441296bps delivery_rate 2812328bps delivered:295 app_limited busy:7704ms unacked:1 rcv_space:14480 rcv_ssthresh:64088 notsent:397 minrtt:4.119 snd_wnd:65536
2026-11-25T00:23:10+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      436    192.168.50.46:33166 192.168.14.47:7000
	 skmem:(r0,rb131072,t0,tb46080,f1996,w2100,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:24.782/23.178 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:72415 bytes_acked:72377 bytes_received:2656 segs_out:336 segs_in:499 data_segs_out:333 data_segs_in:166 send 4674360bps lastsnd:4 lastrcv:4 lastack:4 pacing_rate 9348480bps delivery_rate 2817120bps delivered:333 app_limited busy:8692ms unacked:1 rcv_space:14480 rcv_ssthresh:64088 notsent:397 minrtt:4.112 snd_wnd:81920
2026-11-25T00:23:12+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      436    192.168.50.46:33166 192.168.14.47:7000
	 skmem:(r0,rb131072,t0,tb46080,f1996,w2100,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:24.831/23.966 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:80699 bytes_acked:80661 bytes_received:2960 segs_out:374 segs_in:556 data_segs_out:371 data_segs_in:185 send 4665136bps lastsnd:44 lastrcv:44 lastack:44 pacing_rate 9330272bps delivery_rate 2817120bps delivered:371 app_limited busy:9728ms unacked:1 rcv_space:14480 rcv_ssthresh:64088 notsent:397 minrtt:4.112 snd_wnd:102400
2026-11-25T00:23:12+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 16     0      192.168.50.46:33166 192.168.14.47:7000
	 skmem:(r832,rb131072,t0,tb46080,f3264,w0,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:24.958/24.087 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:87636 bytes_acked:87637 bytes_received:3216 segs_out:405 segs_in:604 data_segs_out:402 data_segs_in:201 send 4641398bps lastsnd:4 pacing_rate 9282560bps delivery_rate 2817120bps delivered:403 app_limited busy:10520ms rcv_space:14480 rcv_ssthresh:64088 minrtt:4.112 snd_wnd:118784
2026-11-25T00:23:13+00:00
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
ESTAB 0      436    192.168.50.46:33166 192.168.14.47:7000
	 skmem:(r0,rb131072,t0,tb46080,f1996,w2100,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:24.45/22.994 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:95523 bytes_acked:95485 bytes_received:3504 segs_out:442 segs_in:658 data_segs_out:439 data_segs_in:219 send 4737832bps lastsnd:20 lastrcv:20 lastack:20 pacing_rate 9475320bps delivery_rate 2817120bps delivered:439 app_limited busy:11480ms unacked:1 rcv_space:14480 rcv_ssthresh:64088 notsent:397 minrtt:4.112 snd_wnd:138240
2026-11-25T00:23:14+00:00
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
