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
1795566215.665815611
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795566216.665269009
State Recv-Q Send-Q Local Address:Port  Peer Address:Port Process
ESTAB 0      318560 10.164.155.89:8000 10.231.140.90:56178
	 skmem:(r0,rb131072,t0,tb373248,f2784,w357664,o0,bl0,d0) cubic wscale:10,10 rto:268 rtt:67.879/10.341 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:82 ssthresh:76 bytes_sent:389723 bytes_acked:270987 bytes_received:91 segs_out:271 segs_in:126 data_segs_out:270 data_segs_in:1 send 13993842bps lastsnd:20 lastrcv:324 lastack:20 pacing_rate 16792424bps delivery_rate 13347784bps delivered:189 busy:316ms unacked:82 rcv_space:14480 rcv_ssthresh:64088 notsent:199824 minrtt:51.298 snd_wnd:340992
1795566217.670458818
State Recv-Q Send-Q Local Address:Port  Peer Address:Port Process
ESTAB 0      455224 10.164.155.89:8000 10.231.140.90:56178
	 skmem:(r0,rb131072,t0,tb479232,f1288,w494328,o0,bl0,d0) cubic wscale:10,10 rto:272 rtt:71.782/15.67 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:81 ssthresh:78 bytes_sent:1163851 bytes_acked:1046563 bytes_received:91 segs_out:807 segs_in:165 data_segs_out:806 data_segs_in:1 send 13071578bps lastsnd:12 lastrcv:1332 lastack:12 pacing_rate 15685728bps delivery_rate 9762272bps delivered:726 busy:1324ms rwnd_limited:520ms(39.3%) unacked:81 rcv_space:14480 rcv_ssthresh:64088 notsent:337936 minrtt:51.298 snd_wnd:232448
1795566218.728880842
State Recv-Q Send-Q Local Address:Port  Peer Address:Port Process
ESTAB 0      448656 10.164.155.89:8000 10.231.140.90:56178
	 skmem:(r0,rb131072,t0,tb479232,f3440,w455312,o0,bl0,d0) cubic wscale:10,10 rto:296 rtt:93.416/19.583 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:102 ssthresh:78 bytes_sent:1639571 bytes_acked:1639571 bytes_received:91 segs_out:1137 segs_in:183 data_segs_out:1136 data_segs_in:1 send 12648454bps lastsnd:404 lastrcv:2512 lastack:292 pacing_rate 15178016bps delivery_rate 9858720bps delivered:1137 busy:2504ms rwnd_limited:1436ms(57.3%) rcv_space:14480 rcv_ssthresh:64088 notsent:448656 minrtt:51.298 snd_wnd:1024
1795566219.846895717
State Recv-Q Send-Q Local Address:Port  Peer Address:Port Process
ESTAB 0      489152 10.164.155.89:8000 10.231.140.90:56178
	 skmem:(r0,rb131072,t0,tb576000,f3712,w508288,o0,bl0,d0) cubic wscale:10,10 rto:296 rtt:93.176/20.686 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:125 ssthresh:78 bytes_sent:2360691 bytes_acked:2315835 bytes_received:91 segs_out:1636 segs_in:206 data_segs_out:1635 data_segs_in:1 send 15540483bps lastsnd:76 lastrcv:3696 lastack:12 pacing_rate 18648424bps delivery_rate 15437096bps delivered:1605 busy:3688ms rwnd_limited:2284ms(61.9%) unacked:31 rcv_space:14480 rcv_ssthresh:64088 notsent:444296 minrtt:51.298 snd_wnd:46080
1795566220.667914923
State Recv-Q Send-Q Local Address:Port  Peer Address:Port Process
ESTAB 0      419080 10.164.155.89:8000 10.231.140.90:56178
	 skmem:(r0,rb131072,t0,tb585216,f2232,w456520,o0,bl0,d0) cubic wscale:10,10 rto:268 rtt:64.11/4.808 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:79 ssthresh:94 bytes_sent:2500299 bytes_acked:2385907 bytes_received:91 segs_out:1734 segs_in:227 data_segs_out:1732 data_segs_in:1 send 14274466bps lastsnd:20 lastrcv:4328 lastack:20 pacing_rate 17129184bps delivery_rate 2916960bps delivered:1654 busy:4320ms rwnd_limited:2832ms(65.6%) unacked:79 rcv_space:14480 rcv_ssthresh:64088 notsent:304688 minrtt:51.298 snd_wnd:337920
1795566221.668042634
State Recv-Q Send-Q Local Address:Port  Peer Address:Port Process
ESTAB 0      627280 10.164.155.89:8000 10.231.140.90:56178
	 skmem:(r0,rb131072,t0,tb585216,f2544,w636432,o0,bl0,d0) cubic wscale:10,10 rto:296 rtt:93.286/22.119 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:117 ssthresh:94 bytes_sent:3089947 bytes_acked:3089947 bytes_received:91 segs_out:2143 segs_in:247 data_segs_out:2141 data_segs_in:1 send 14528740bps lastsnd:128 lastrcv:5332 lastack:52 pacing_rate 17434416bps delivery_rate 12032080bps delivered:2142 busy:5324ms rwnd_limited:3520ms(66.1%) rcv_space:14480 rcv_ssthresh:64088 notsent:627280 minrtt:51.298 snd_wnd:1024
1795566222.685767602
State Recv-Q Send-Q Local Address:Port  Peer Address:Port Process
ESTAB 0      588016 10.164.155.89:8000 10.231.140.90:56178
	 skmem:(r0,rb131072,t0,tb589824,f1680,w596336,o0,bl0,d0) cubic wscale:10,10 rto:296 rtt:95.695/19.451 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:128 ssthresh:94 bytes_sent:3455011 bytes_acked:3455011 bytes_received:91 segs_out:2396 segs_in:261 data_segs_out:2394 data_segs_in:1 send 15494561bps lastsnd:324 lastrcv:6344 lastack:216 pacing_rate 18593344bps delivery_rate 3328112bps delivered:2395 busy:6336ms rwnd_limited:4380ms(69.1%) rcv_space:14480 rcv_ssthresh:64088 notsent:588016 minrtt:51.298 snd_wnd:1024
1795566223.800219414
State Recv-Q Send-Q Local Address:Port  Peer Address:Port Process
ESTAB 0      451728 10.164.155.89:8000 10.231.140.90:56178
	 skmem:(r0,rb131072,t0,tb649728,f1136,w461712,o0,bl0,d0) cubic wscale:10,10 rto:292 rtt:91.339/31.169 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:115 ssthresh:105 bytes_sent:4190771 bytes_acked:4177739 bytes_received:91 segs_out:2906 segs_in:301 data_segs_out:2903 data_segs_in:1 send 14584789bps lastsnd:56 lastrcv:7644 lastack:24 pacing_rate 17501720bps delivery_rate 10220096bps delivered:2895 busy:7636ms rwnd_limited:5340ms(69.9%) unacked:9 rcv_space:14480 rcv_ssthresh:64088 notsent:438696 minrtt:51.298 snd_wnd:14336
1795566224.841464080
State Recv-Q Send-Q Local Address:Port  Peer Address:Port Process
ESTAB 0      586640 10.164.155.89:8000 10.231.140.90:56178
	 skmem:(r0,rb131072,t0,tb649728,f3056,w594960,o0,bl0,d0) cubic wscale:10,10 rto:288 rtt:87.982/23.344 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:115 ssthresh:105 bytes_sent:4564107 bytes_acked:4564107 bytes_received:91 segs_out:3166 segs_in:329 data_segs_out:3162 data_segs_in:1 send 15141279bps lastsnd:160 lastrcv:8608 lastack:52 pacing_rate 18169504bps delivery_rate 214624bps delivered:3163 busy:8600ms rwnd_limited:6084ms(70.7%) rcv_space:14480 rcv_ssthresh:64088 notsent:586640 minrtt:51.298
1795566225.740103657
State Recv-Q Send-Q Local Address:Port  Peer Address:Port Process
ESTAB 0      474904 10.164.155.89:8000 10.231.140.90:56178
	 skmem:(r0,rb131072,t0,tb649728,f1768,w481560,o0,bl0,d0) cubic wscale:10,10 rto:296 rtt:94.903/25.554 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:114 ssthresh:105 bytes_sent:4936483 bytes_acked:4936483 bytes_received:91 segs_out:3425 segs_in:356 data_segs_out:3420 data_segs_in:1 send 13915008bps lastsnd:228 lastrcv:9428 lastack:120 pacing_rate 16697960bps delivery_rate 2898304bps delivered:3421 busy:9420ms rwnd_limited:6716ms(71.3%) rcv_space:14480 rcv_ssthresh:64088 notsent:474904 minrtt:51.298 snd_wnd:1024
1795566226.692649080
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
