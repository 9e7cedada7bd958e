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
2026-11-25T00:27:17+00:00
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
2026-11-25T00:27:18+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                       
ESTAB 0      0      10.23.137.180:60530 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:204 rtt:3.902/1.124 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 29687340bps lastsnd:668 lastrcv:656 lastack:656 pacing_rate 59368968bps delivery_rate 5994304bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:3.849 snd_wnd:65536
ESTAB 0      231680 10.23.137.180:60536 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb239616,f3328,w238336,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.183/0.065 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:8 ssthresh:7 bytes_sent:4561237 bytes_retrans:104256 bytes_acked:4445398 segs_out:3153 segs_in:1760 data_segs_out:3151 send 22154435bps lastrcv:660 pacing_rate 26580552bps delivery_rate 22330600bps delivered:3072 busy:660ms unacked:8 retrans:0/72 rcv_space:14480 rcv_ssthresh:64088 notsent:220096 minrtt:3.859 snd_wnd:819200
2026-11-25T00:27:19+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.23.137.180:60530 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:204 rtt:3.902/1.124 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 29687340bps lastsnd:1684 lastrcv:1672 lastack:1672 pacing_rate 59368968bps delivery_rate 5994304bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:3.849 snd_wnd:65536
ESTAB 0      257744 10.23.137.180:60536 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb239616,f1840,w264400,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.261/0.303 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:8 ssthresh:7 bytes_sent:7502125 bytes_retrans:204168 bytes_acked:7286374 segs_out:5184 segs_in:2898 data_segs_out:5182 send 21748885bps lastrcv:1676 pacing_rate 26093304bps delivery_rate 22663728bps delivered:5034 busy:1676ms unacked:8 retrans:0/141 rcv_space:14480 rcv_ssthresh:64088 notsent:246160 minrtt:3 snd_wnd:819200
2026-11-25T00:27:20+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.23.137.180:60530 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:204 rtt:3.902/1.124 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 29687340bps lastsnd:2664 lastrcv:2652 lastack:2652 pacing_rate 59368968bps delivery_rate 5994304bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:3.849 snd_wnd:65536
ESTAB 0      266432 10.23.137.180:60536 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb239616,f2176,w272256,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.241/0.143 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:7 ssthresh:6 bytes_sent:10317037 bytes_retrans:292496 bytes_acked:10014406 segs_out:7128 segs_in:3992 data_segs_out:7126 send 19120019bps lastrcv:2656 pacing_rate 22942664bps delivery_rate 19638648bps delivered:6918 busy:2656ms unacked:7 retrans:0/202 rcv_space:14480 rcv_ssthresh:64088 notsent:256296 minrtt:3 snd_wnd:819200
2026-11-25T00:27:21+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.23.137.180:60530 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:204 rtt:3.902/1.124 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 29687340bps lastsnd:3684 lastrcv:3672 lastack:3672 pacing_rate 59368968bps delivery_rate 5994304bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:3.849 snd_wnd:65536
ESTAB 0      152040 10.23.137.180:60536 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb239616,f2712,w157032,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.664/0.949 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:7 ssthresh:6 bytes_sent:13255029 bytes_retrans:379376 bytes_acked:12865518 segs_out:9157 segs_in:5138 data_segs_out:9155 send 17385935bps lastrcv:3676 pacing_rate 20861440bps delivery_rate 18181160bps delivered:8887 busy:3676ms unacked:7 retrans:0/262 rcv_space:14480 rcv_ssthresh:64088 notsent:141904 minrtt:3 snd_wnd:819200
2026-11-25T00:27:22+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.23.137.180:60530 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:204 rtt:3.902/1.124 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 29687340bps lastsnd:4660 lastrcv:4648 lastack:4648 pacing_rate 59368968bps delivery_rate 5994304bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:3.849 snd_wnd:65536
ESTAB 0      276568 10.23.137.180:60536 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb239616,f3496,w283224,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.309/0.423 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:8 ssthresh:7 bytes_sent:16091661 bytes_retrans:472048 bytes_acked:15608030 segs_out:11116 segs_in:6249 data_segs_out:11114 send 21506614bps lastrcv:4652 pacing_rate 25805688bps delivery_rate 19957664bps delivered:10781 busy:4652ms unacked:8 retrans:0/326 rcv_space:14480 rcv_ssthresh:64088 notsent:264984 minrtt:3 snd_wnd:819200
2026-11-25T00:27:23+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.23.137.180:60530 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:204 rtt:3.902/1.124 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 29687340bps lastsnd:5672 lastrcv:5660 lastack:5660 pacing_rate 59368968bps delivery_rate 5994304bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:3.849 snd_wnd:65536
ESTAB 0      189688 10.23.137.180:60536 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb239616,f1096,w195512,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.3/0.167 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:11 ssthresh:6 bytes_sent:19010829 bytes_retrans:563272 bytes_acked:18431630 segs_out:13132 segs_in:7369 data_segs_out:13130 send 29633488bps lastrcv:5664 pacing_rate 35553984bps delivery_rate 30331824bps delivered:12731 busy:5664ms unacked:11 retrans:0/389 rcv_space:14480 rcv_ssthresh:64088 notsent:173760 minrtt:3 snd_wnd:819200
2026-11-25T00:27:24+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.23.137.180:60530 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:204 rtt:3.902/1.124 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 29687340bps lastsnd:6664 lastrcv:6652 lastack:6652 pacing_rate 59368968bps delivery_rate 5994304bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:3.849 snd_wnd:65536
ESTAB 0      273672 10.23.137.180:60536 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb239616,f632,w281992,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.396/0.364 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:16 ssthresh:6 bytes_sent:21888005 bytes_retrans:648704 bytes_acked:21214686 segs_out:15119 segs_in:8462 data_segs_out:15117 send 42161965bps lastrcv:6656 pacing_rate 50588600bps delivery_rate 23255848bps delivered:14654 busy:6656ms unacked:17 retrans:0/448 sacked:1 rcv_space:14480 rcv_ssthresh:64088 notsent:249056 minrtt:3 snd_wnd:814080
2026-11-25T00:27:25+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.23.137.180:60530 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:204 rtt:3.902/1.124 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 29687340bps lastsnd:7676 lastrcv:7664 lastack:7664 pacing_rate 59368968bps delivery_rate 5994304bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:3.849 snd_wnd:65536
ESTAB 0      204168 10.23.137.180:60536 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb239616,f1336,w211656,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.439/0.337 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:11 ssthresh:6 bytes_sent:24781109 bytes_retrans:744272 bytes_acked:24020910 segs_out:17117 segs_in:9592 data_segs_out:17115 send 28705564bps lastrcv:7668 pacing_rate 34445704bps delivery_rate 27404776bps delivered:16591 busy:7668ms unacked:11 retrans:0/514 rcv_space:14480 rcv_ssthresh:64088 notsent:188240 minrtt:3 snd_wnd:819200
2026-11-25T00:27:26+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.23.137.180:60530 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:204 rtt:3.902/1.124 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 29687340bps lastsnd:9796 lastrcv:9784 lastack:9784 pacing_rate 59368968bps delivery_rate 5994304bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:3.849 snd_wnd:65536
ESTAB 0      256296 10.23.137.180:60536 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb239616,f1624,w264616,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.35/0.273 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:13 ssthresh:7 bytes_sent:30938005 bytes_retrans:955680 bytes_acked:29963502 segs_out:21369 segs_in:11975 data_segs_out:21367 send 34618851bps lastrcv:9788 pacing_rate 41534264bps delivery_rate 22373728bps delivered:20695 busy:9788ms unacked:13 retrans:0/660 rcv_space:14480 rcv_ssthresh:64088 notsent:237472 minrtt:3 snd_wnd:819200
2026-11-25T00:27:27+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.23.137.180:60530 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:204 rtt:3.902/1.124 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 29687340bps lastsnd:9832 lastrcv:9820 lastack:9820 pacing_rate 59368968bps delivery_rate 5994304bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:3.849 snd_wnd:65536
ESTAB 0      282360 10.23.137.180:60536 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb239616,f968,w289848,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.312/0.216 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:8 ssthresh:7 bytes_sent:31043709 bytes_retrans:964368 bytes_acked:30067758 segs_out:21442 segs_in:12022 data_segs_out:21440 send 21491651bps lastrcv:9824 pacing_rate 25788480bps delivery_rate 21531592bps delivered:20767 busy:9824ms unacked:8 retrans:0/666 rcv_space:14480 rcv_ssthresh:64088 notsent:270776 minrtt:3 snd_wnd:819200
2026-11-25T00:27:28+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      10.23.137.180:60530 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:204 rtt:3.902/1.124 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 29687340bps lastsnd:10696 lastrcv:10684 lastack:10684 pacing_rate 59368968bps delivery_rate 5994304bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:3.849 snd_wnd:65536
ESTAB 0      220096 10.23.137.180:60536 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb239616,f1792,w227584,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.296/0.222 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:7 ssthresh:7 bytes_sent:33547301 bytes_retrans:1048352 bytes_acked:32475782 segs_out:23171 segs_in:13008 data_segs_out:23169 send 18875233bps lastrcv:10688 pacing_rate 42062352bps delivery_rate 22780720bps delivered:22439 busy:10688ms unacked:16 retrans:1/724 lost:1 sacked:9 rcv_space:14480 rcv_ssthresh:64088 notsent:196928 minrtt:3 snd_wnd:817152
2026-11-25T00:27:29+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      10.23.137.180:60530 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:204 rtt:3.902/1.124 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 29687340bps lastsnd:11772 lastrcv:11760 lastack:11760 pacing_rate 59368968bps delivery_rate 5994304bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:3.849 snd_wnd:65536
ESTAB 0      207064 10.23.137.180:60536 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb239616,f3368,w213720,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.389/0.396 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:7 ssthresh:6 bytes_sent:36644573 bytes_retrans:1142472 bytes_acked:35486174 segs_out:25310 segs_in:14232 data_segs_out:25308 send 18475279bps lastrcv:11764 pacing_rate 34838104bps delivery_rate 20942824bps delivered:24513 busy:11764ms unacked:11 retrans:1/789 lost:1 sacked:4 rcv_space:14480 rcv_ssthresh:64088 notsent:191136 minrtt:3 snd_wnd:818176
2026-11-25T00:27:30+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      10.23.137.180:60530 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:204 rtt:3.902/1.124 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 29687340bps lastsnd:12820 lastrcv:12808 lastack:12808 pacing_rate 59368968bps delivery_rate 5994304bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:3.849 snd_wnd:65536
ESTAB 0      272224 10.23.137.180:60536 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb239616,f3744,w278880,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.415/0.413 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:7 ssthresh:7 bytes_sent:39657861 bytes_retrans:1232248 bytes_acked:38418374 segs_out:27391 segs_in:15406 data_segs_out:27389 send 18366478bps lastsnd:4 lastrcv:12812 pacing_rate 22038520bps delivery_rate 13370264bps delivered:26534 busy:12812ms unacked:5 retrans:0/851 rcv_space:14480 rcv_ssthresh:64088 notsent:264984 minrtt:3 snd_wnd:818176
2026-11-25T00:27:31+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      10.23.137.180:60530 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:204 rtt:3.902/1.124 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 29687340bps lastsnd:13760 lastrcv:13748 lastack:13748 pacing_rate 59368968bps delivery_rate 5994304bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:3.849 snd_wnd:65536
ESTAB 0      254848 10.23.137.180:60536 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb239616,f640,w261504,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.235/0.107 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:7 ssthresh:6 bytes_sent:42368517 bytes_retrans:1316232 bytes_acked:41042150 segs_out:29263 segs_in:16437 data_segs_out:29261 send 19147107bps lastrcv:13752 pacing_rate 22975848bps delivery_rate 19178800bps delivered:28346 busy:13752ms unacked:7 retrans:0/909 rcv_space:14480 rcv_ssthresh:64088 notsent:244712 minrtt:3 snd_wnd:819200
2026-11-25T00:27:32+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      10.23.137.180:60530 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:204 rtt:3.902/1.124 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:7 segs_in:7 data_segs_out:3 data_segs_in:4 send 29687340bps lastsnd:14696 lastrcv:14684 lastack:14684 pacing_rate 59368968bps delivery_rate 5994304bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:3.849 snd_wnd:65536
ESTAB 0      238920 10.23.137.180:60536 10.213.159.181:5201
	 skmem:(r0,rb131072,t0,tb239616,f120,w249736,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:4.228/0.192 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:8 ssthresh:9 bytes_sent:45087861 bytes_retrans:1404560 bytes_acked:43664478 segs_out:31141 segs_in:17491 data_segs_out:31139 send 21918638bps lastrcv:14688 pacing_rate 39447712bps delivery_rate 22395360bps delivered:30162 busy:14688ms unacked:13 retrans:5/970 lost:5 sacked:5 rcv_space:14480 rcv_ssthresh:64088 notsent:220096 minrtt:3 snd_wnd:812032
2026-11-25T00:27:33+00:00
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
