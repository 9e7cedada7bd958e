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
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                     
ESTAB 0      0      10.241.99.154:33404 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.131/1.447 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22576496bps lastsnd:544 lastrcv:528 lastack:528 pacing_rate 45148592bps delivery_rate 4513536bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.1 snd_wnd:65536
ESTAB 0      0      10.241.99.154:33408 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb193536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:6.925/0.261 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:43 ssthresh:37 bytes_sent:1317997 bytes_retrans:7240 bytes_acked:1310758 segs_out:918 segs_in:542 data_segs_out:916 send 71929531bps lastsnd:8 lastrcv:536 lastack:4 pacing_rate 86307640bps delivery_rate 71918400bps delivered:912 busy:216ms retrans:0/5 rcv_space:14480 rcv_ssthresh:64088 minrtt:5 snd_wnd:291840
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      0      10.241.99.154:33404 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.131/1.447 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22576496bps lastsnd:1548 lastrcv:1532 lastack:1532 pacing_rate 45148592bps delivery_rate 4513536bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.1 snd_wnd:65536
ESTAB 0      7992   10.241.99.154:33408 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb193536,f2632,w9656,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:7.432/0.339 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:47 ssthresh:33 bytes_sent:3678741 bytes_retrans:8688 bytes_acked:3662062 segs_out:2557 segs_in:1437 data_segs_out:2555 send 73257266bps lastsnd:8 lastrcv:1540 pacing_rate 87898368bps delivery_rate 43560032bps delivered:2544 busy:576ms unacked:6 retrans:0/6 rcv_space:14480 rcv_ssthresh:64088 minrtt:5 snd_wnd:291840
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      0      10.241.99.154:33404 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.131/1.447 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22576496bps lastsnd:2552 lastrcv:2536 lastack:2536 pacing_rate 45148592bps delivery_rate 4513536bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.1 snd_wnd:65536
ESTAB 0      35504  10.241.99.154:33408 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb193536,f400,w44656,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:6.251/0.573 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:36 ssthresh:33 bytes_sent:6040933 bytes_retrans:11584 bytes_acked:5993846 segs_out:4197 segs_in:2314 data_segs_out:4195 send 66713166bps lastsnd:4 lastrcv:2544 pacing_rate 80044592bps delivery_rate 34940896bps delivered:4163 busy:932ms unacked:25 retrans:0/8 rcv_space:14480 rcv_ssthresh:64088 minrtt:5 snd_wnd:291840
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      0      10.241.99.154:33404 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.131/1.447 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22576496bps lastsnd:3556 lastrcv:3540 lastack:3540 pacing_rate 45148592bps delivery_rate 4513536bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.1 snd_wnd:65536
ESTAB 0      34056  10.241.99.154:33408 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb193536,f2680,w42376,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:6.666/0.815 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:41 ssthresh:33 bytes_sent:8401677 bytes_retrans:13032 bytes_acked:8354590 segs_out:5836 segs_in:3192 data_segs_out:5834 send 71248725bps lastrcv:3548 pacing_rate 85487248bps delivery_rate 47163168bps delivered:5802 busy:1300ms unacked:24 retrans:0/9 rcv_space:14480 rcv_ssthresh:64088 minrtt:5 snd_wnd:291840
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      0      10.241.99.154:33404 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.131/1.447 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22576496bps lastsnd:4552 lastrcv:4536 lastack:4536 pacing_rate 45148592bps delivery_rate 4513536bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.1 snd_wnd:65536
ESTAB 0      128176 10.241.99.154:33408 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb193536,f2768,w136496,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:6.8/0.3 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:45 ssthresh:33 bytes_sent:10699405 bytes_retrans:14480 bytes_acked:10619766 segs_out:7431 segs_in:4053 data_segs_out:7429 send 76658824bps lastrcv:4544 pacing_rate 91990584bps delivery_rate 72529512bps delivered:7375 busy:1648ms unacked:45 retrans:0/10 rcv_space:14480 rcv_ssthresh:64088 notsent:63016 minrtt:5 snd_wnd:291840
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      0      10.241.99.154:33404 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.131/1.447 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22576496bps lastsnd:5548 lastrcv:5532 lastack:5532 pacing_rate 45148592bps delivery_rate 4513536bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.1 snd_wnd:65536
ESTAB 0      0      10.241.99.154:33408 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb193536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:7.73/0.539 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:33 ssthresh:33 bytes_sent:12993541 bytes_retrans:17376 bytes_acked:12976166 segs_out:9024 segs_in:4934 data_segs_out:9022 send 49453040bps lastsnd:36 lastrcv:5540 lastack:28 pacing_rate 59342688bps delivery_rate 71446032bps delivered:9011 busy:2004ms retrans:0/12 rcv_space:14480 rcv_ssthresh:64088 minrtt:5 snd_wnd:228352
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      0      10.241.99.154:33404 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.131/1.447 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22576496bps lastsnd:6548 lastrcv:6532 lastack:6532 pacing_rate 45148592bps delivery_rate 4513536bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.1 snd_wnd:65536
ESTAB 0      0      10.241.99.154:33408 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb193536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:6.051/0.126 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:37 ssthresh:33 bytes_sent:15354285 bytes_retrans:18824 bytes_acked:15335462 segs_out:10663 segs_in:5818 data_segs_out:10661 send 70832590bps lastsnd:28 lastrcv:6540 lastack:24 pacing_rate 84992080bps delivery_rate 72461200bps delivered:10649 busy:2368ms retrans:0/13 rcv_space:14480 rcv_ssthresh:64088 minrtt:5 snd_wnd:291840
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      0      10.241.99.154:33404 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.131/1.447 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22576496bps lastsnd:7600 lastrcv:7584 lastack:7584 pacing_rate 45148592bps delivery_rate 4513536bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.1 snd_wnd:65536
ESTAB 0      0      10.241.99.154:33408 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb193536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:6.855/0.195 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:43 ssthresh:33 bytes_sent:17846101 bytes_retrans:20272 bytes_acked:17825830 segs_out:12393 segs_in:6763 data_segs_out:12391 send 72664041bps lastsnd:20 lastrcv:7592 lastack:12 pacing_rate 87196848bps delivery_rate 72561968bps delivered:12378 busy:2748ms retrans:0/14 rcv_space:14480 rcv_ssthresh:64088 minrtt:5 snd_wnd:291840
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      0      10.241.99.154:33404 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.131/1.447 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22576496bps lastsnd:8548 lastrcv:8532 lastack:8532 pacing_rate 45148592bps delivery_rate 4513536bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.1 snd_wnd:65536
ESTAB 0      0      10.241.99.154:33408 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb193536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:7.34/0.204 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:46 ssthresh:33 bytes_sent:20075773 bytes_retrans:21720 bytes_acked:20054054 segs_out:13941 segs_in:7604 data_segs_out:13939 send 72597275bps lastsnd:16 lastrcv:8540 lastack:8 pacing_rate 87113760bps delivery_rate 43273016bps delivered:13925 busy:3088ms retrans:0/15 rcv_space:14480 rcv_ssthresh:64088 minrtt:5 snd_wnd:291840
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      0      10.241.99.154:33404 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.131/1.447 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:186 bytes_acked:187 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22576496bps lastsnd:9588 lastrcv:9572 lastack:9572 pacing_rate 45148592bps delivery_rate 4513536bps delivered:4 app_limited busy:8ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.1 snd_wnd:65536
ESTAB 0      93424  10.241.99.154:33408 10.61.22.155:5201
	 skmem:(r0,rb131072,t0,tb193536,f1488,w100912,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:7.635/1.607 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:35 ssthresh:33 bytes_sent:22524845 bytes_retrans:24616 bytes_acked:22450998 segs_out:15641 segs_in:8483 data_segs_out:15639 send 53102816bps lastsnd:4 lastrcv:9584 lastack:4 pacing_rate 63720248bps delivery_rate 63164568bps delivered:15589 busy:3460ms unacked:34 retrans:0/17 rcv_space:14480 rcv_ssthresh:64088 notsent:44192 minrtt:5 snd_wnd:291840
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
