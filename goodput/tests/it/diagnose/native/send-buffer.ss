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
net.ipv4.tcp_wmem = 4096	16384	151524
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
Wed Nov 25 00:34:38 UTC 2026
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
Wed Nov 25 00:34:39 UTC 2026
State Recv-Q Send-Q           Local Address:Port             Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      2      [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43166
	 skmem:(r0,rb131072,t0,tb46080,f2430,w1666,o0,bl0,d0) cubic wscale:10,10 rto:324 rtt:112.926/41.522 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:2 bytes_received:200 segs_out:6 segs_in:7 data_segs_out:4 data_segs_in:3 send 1025805bps lastsnd:88 lastrcv:304 lastack:152 pacing_rate 2051600bps delivery_rate 108040bps delivered:3 app_limited busy:348ms unacked:2 rcv_space:14480 rcv_ssthresh:64088 minrtt:107.212 snd_wnd:64512
ESTAB 0      46336  [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43178
	 skmem:(r0,rb131072,t0,tb46080,f1920,w51328,o0,bl0,d0) reno wscale:10,10 rto:324 rtt:107.281/53.64 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:14480 bytes_received:37 segs_out:11 segs_in:3 data_segs_out:10 data_segs_in:1 send 1079781bps lastsnd:88 lastrcv:92 lastack:92 pacing_rate 2159560bps delivered:1 app_limited busy:88ms unacked:10 rcv_space:14480 rcv_ssthresh:64088 notsent:31856 minrtt:107.281 snd_wnd:64512                      
Wed Nov 25 00:34:40 UTC 2026
State Recv-Q Send-Q           Local Address:Port             Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0      [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43166
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:320 rtt:111.594/25.665 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:200 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 1038049bps lastsnd:1088 lastrcv:1304 lastack:984 pacing_rate 2076080bps delivery_rate 215992bps delivered:5 app_limited busy:364ms rcv_space:14480 rcv_ssthresh:64088 minrtt:107.212 snd_wnd:64512
ESTAB 0      105704 [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43178
	 skmem:(r0,rb131072,t0,tb151524,f1816,w145640,o0,bl0,d0) reno wscale:10,10 rto:320 rtt:114.877/10.821 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:42 ssthresh:204 bytes_sent:804448 bytes_retrans:91224 bytes_acked:607520 bytes_received:37 segs_out:557 segs_in:320 data_segs_out:556 data_segs_in:1 send 4235208bps lastsnd:60 lastrcv:1092 lastack:60 pacing_rate 14722320bps delivery_rate 1128800bps delivered:443 busy:1088ms unacked:73 retrans:42/63 lost:51 sacked:22 rcv_space:14480 rcv_ssthresh:64088 minrtt:107.281 snd_wnd:427008
Wed Nov 25 00:34:41 UTC 2026
State Recv-Q Send-Q           Local Address:Port             Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43166
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:320 rtt:111.594/25.665 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:200 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 1038049bps lastsnd:2088 lastrcv:2304 lastack:1984 pacing_rate 2076080bps delivery_rate 215992bps delivered:5 app_limited busy:364ms rcv_space:14480 rcv_ssthresh:64088 minrtt:107.212 snd_wnd:64512
ESTAB 0      123080 [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43178
	 skmem:(r0,rb131072,t0,tb151524,f888,w158856,o0,bl0,d0) reno wscale:10,10 rto:332 rtt:128.831/5.289 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:103 ssthresh:102 bytes_sent:1716912 bytes_retrans:140456 bytes_acked:1453376 bytes_received:37 segs_out:1189 segs_in:713 data_segs_out:1188 data_segs_in:1 send 9261373bps lastsnd:80 lastrcv:2092 pacing_rate 11113592bps delivery_rate 7890792bps delivered:1007 app_limited busy:2088ms unacked:85 retrans:0/97 rcv_space:14480 rcv_ssthresh:64088 minrtt:107.281 snd_wnd:965632
Wed Nov 25 00:34:42 UTC 2026
State Recv-Q Send-Q           Local Address:Port             Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43166
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:320 rtt:111.594/25.665 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:200 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 1038049bps lastsnd:3084 lastrcv:3300 lastack:2980 pacing_rate 2076080bps delivery_rate 215992bps delivered:5 app_limited busy:364ms rcv_space:14480 rcv_ssthresh:64088 minrtt:107.212 snd_wnd:64512
ESTAB 0      175208 [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43178
	 skmem:(r0,rb131072,t0,tb151524,f3480,w221800,o0,bl0,d0) reno wscale:10,10 rto:316 rtt:115.451/10.307 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:110 ssthresh:102 bytes_sent:2777768 bytes_retrans:140456 bytes_acked:2478032 bytes_received:37 segs_out:1922 segs_in:1068 data_segs_out:1921 data_segs_in:1 send 11037063bps lastrcv:3088 pacing_rate 13244400bps delivery_rate 11591224bps delivered:1715 app_limited busy:3084ms unacked:110 retrans:0/97 rcv_space:14480 rcv_ssthresh:64088 notsent:15928 minrtt:107.281 snd_wnd:965632
Wed Nov 25 00:34:43 UTC 2026
State Recv-Q Send-Q           Local Address:Port             Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43166
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:320 rtt:111.594/25.665 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:200 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 1038049bps lastsnd:4084 lastrcv:4300 lastack:3980 pacing_rate 2076080bps delivery_rate 215992bps delivered:5 app_limited busy:364ms rcv_space:14480 rcv_ssthresh:64088 minrtt:107.212 snd_wnd:64512
ESTAB 0      104256 [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43178
	 skmem:(r0,rb131072,t0,tb151524,f128,w135040,o0,bl0,d0) reno wscale:10,10 rto:332 rtt:129.734/6.472 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:116 ssthresh:102 bytes_sent:3701816 bytes_retrans:140456 bytes_acked:3457104 bytes_received:37 segs_out:2562 segs_in:1411 data_segs_out:2561 data_segs_in:1 send 10357686bps lastsnd:36 lastrcv:4088 pacing_rate 12429136bps delivery_rate 11591224bps delivered:2393 app_limited busy:4084ms unacked:72 retrans:0/97 rcv_space:14480 rcv_ssthresh:64088 minrtt:107.281 snd_wnd:965632
Wed Nov 25 00:34:44 UTC 2026
State Recv-Q Send-Q           Local Address:Port             Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43166
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:320 rtt:111.594/25.665 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:200 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 1038049bps lastsnd:5068 lastrcv:5284 lastack:4964 pacing_rate 2076080bps delivery_rate 215992bps delivered:5 app_limited busy:364ms rcv_space:14480 rcv_ssthresh:64088 minrtt:107.212 snd_wnd:64512
ESTAB 0      97824  [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43178
	 skmem:(r0,rb131072,t0,tb151524,f864,w126112,o0,bl0,d0) reno wscale:10,10 rto:360 rtt:159.351/0.987 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:122 ssthresh:102 bytes_sent:4727976 bytes_retrans:140456 bytes_acked:4489696 bytes_received:37 segs_out:3272 segs_in:1773 data_segs_out:3271 data_segs_in:1 send 8868774bps lastsnd:28 lastrcv:5072 pacing_rate 10642472bps delivery_rate 12748928bps delivered:3107 app_limited busy:5068ms unacked:68 retrans:0/97 rcv_space:14480 rcv_ssthresh:64088 minrtt:107.281 snd_wnd:965632
Wed Nov 25 00:34:45 UTC 2026
State Recv-Q Send-Q           Local Address:Port             Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43166
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:320 rtt:111.594/25.665 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:200 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 1038049bps lastsnd:6068 lastrcv:6284 lastack:5964 pacing_rate 2076080bps delivery_rate 215992bps delivered:5 app_limited busy:364ms rcv_space:14480 rcv_ssthresh:64088 minrtt:107.212 snd_wnd:64512
ESTAB 0      101360 [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43178
	 skmem:(r0,rb131072,t0,tb151524,f3856,w131312,o0,bl0,d0) reno wscale:10,10 rto:340 rtt:138.716/9.606 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:127 ssthresh:102 bytes_sent:5685272 bytes_retrans:140456 bytes_acked:5443456 bytes_received:37 segs_out:3936 segs_in:2104 data_segs_out:3935 data_segs_in:1 send 10605611bps lastsnd:112 lastrcv:6072 pacing_rate 12726704bps delivery_rate 12960224bps delivered:3769 app_limited busy:6068ms unacked:70 retrans:0/97 rcv_space:14480 rcv_ssthresh:64088 minrtt:107.281 snd_wnd:965632
Wed Nov 25 00:34:46 UTC 2026
State Recv-Q Send-Q           Local Address:Port             Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43166
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:320 rtt:111.594/25.665 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:200 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 1038049bps lastsnd:7084 lastrcv:7300 lastack:6980 pacing_rate 2076080bps delivery_rate 215992bps delivered:5 app_limited busy:364ms rcv_space:14480 rcv_ssthresh:64088 minrtt:107.212 snd_wnd:64512
ESTAB 0      179552 [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43178
	 skmem:(r0,rb131072,t0,tb151524,f1504,w231968,o0,bl0,d0) reno wscale:10,10 rto:348 rtt:147.836/10.564 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:132 ssthresh:102 bytes_sent:6742536 bytes_retrans:140456 bytes_acked:6422528 bytes_received:37 segs_out:4670 segs_in:2447 data_segs_out:4669 data_segs_in:1 send 10343137bps lastsnd:4 lastrcv:7088 pacing_rate 12411760bps delivery_rate 12960224bps delivered:4449 app_limited busy:7084ms unacked:124 retrans:0/97 rcv_space:14480 rcv_ssthresh:64088 minrtt:107.281 snd_wnd:965632
Wed Nov 25 00:34:47 UTC 2026
State Recv-Q Send-Q           Local Address:Port             Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43166
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:320 rtt:111.594/25.665 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:200 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 1038049bps lastsnd:8088 lastrcv:8304 lastack:7984 pacing_rate 2076080bps delivery_rate 215992bps delivered:5 app_limited busy:364ms rcv_space:14480 rcv_ssthresh:64088 minrtt:107.212 snd_wnd:64512
ESTAB 0      97072  [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43178
	 skmem:(r0,rb131072,t0,tb151524,f784,w126192,o0,bl0,d0) reno wscale:10,10 rto:380 rtt:176.346/2.717 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:137 ssthresh:102 bytes_sent:7611560 bytes_retrans:140456 bytes_acked:7374032 bytes_received:37 segs_out:5274 segs_in:2780 data_segs_out:5273 data_segs_in:1 send 8999399bps lastsnd:36 lastrcv:8092 lastack:4 pacing_rate 10799272bps delivery_rate 12960224bps delivered:5109 app_limited busy:8088ms unacked:68 retrans:0/97 rcv_space:14480 rcv_ssthresh:64088 minrtt:107.281 snd_wnd:965632
Wed Nov 25 00:34:48 UTC 2026
State Recv-Q Send-Q           Local Address:Port             Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43166
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:320 rtt:111.594/25.665 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:200 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 1038049bps lastsnd:9092 lastrcv:9308 lastack:8988 pacing_rate 2076080bps delivery_rate 215992bps delivered:5 app_limited busy:364ms rcv_space:14480 rcv_ssthresh:64088 minrtt:107.212 snd_wnd:64512
ESTAB 0      263592 [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43178
	 skmem:(r0,rb131072,t0,tb151524,f2520,w325160,o0,bl0,d0) reno wscale:10,10 rto:324 rtt:123.534/4.921 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:143 ssthresh:102 bytes_sent:8796248 bytes_retrans:140456 bytes_acked:8450120 bytes_received:37 segs_out:6096 segs_in:3156 data_segs_out:6095 data_segs_in:1 send 13409361bps lastsnd:56 lastrcv:9096 lastack:56 pacing_rate 16091216bps delivery_rate 13612448bps delivered:5856 app_limited busy:9092ms unacked:143 retrans:0/97 rcv_space:14480 rcv_ssthresh:64088 notsent:57920 minrtt:107.281 snd_wnd:965632
Wed Nov 25 00:34:49 UTC 2026
State Recv-Q Send-Q           Local Address:Port             Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                              
ESTAB 0      0      [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43166
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:320 rtt:111.594/25.665 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:200 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 1038049bps lastsnd:10088 lastrcv:10304 lastack:9984 pacing_rate 2076080bps delivery_rate 215992bps delivered:5 app_limited busy:364ms rcv_space:14480 rcv_ssthresh:64088 minrtt:107.212 snd_wnd:64512
ESTAB 0      126032 [::ffff:192.168.15.199]:5201 [::ffff:192.168.177.200]:43178
	 skmem:(r0,rb131072,t0,tb151524,f368,w163472,o0,bl0,d0) reno wscale:10,10 rto:376 rtt:175.68/13.528 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:149 ssthresh:102 bytes_sent:9970856 bytes_retrans:140456 bytes_acked:9704368 bytes_received:37 segs_out:6912 segs_in:3595 data_segs_out:6911 data_segs_in:1 send 9824772bps lastsnd:8 lastrcv:10096 lastack:4 pacing_rate 11789688bps delivery_rate 13616880bps delivered:6727 app_limited busy:10092ms unacked:88 retrans:0/97 rcv_space:14480 rcv_ssthresh:64088 minrtt:107.281 snd_wnd:965632
Wed Nov 25 00:34:50 UTC 2026
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
