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
State Recv-Q Send-Q  Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      0       172.22.168.18:37466 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.255/15.006 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2175195bps lastsnd:468 lastrcv:308 lastack:308 pacing_rate 4350328bps delivery_rate 435112bps delivered:4 app_limited busy:104ms rcv_space:14480 rcv_ssthresh:64088 minrtt:53.16 snd_wnd:65536
ESTAB 0      1045648 172.22.168.18:37482 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb1253376,f2992,w1094736,o0,bl0,d0) cubic wscale:10,10 rto:268 rtt:66.363/1.37 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:272 bytes_sent:732501 bytes_acked:379222 segs_out:509 segs_in:198 data_segs_out:507 send 47478987bps lastsnd:20 lastrcv:364 lastack:20 pacing_rate 94957432bps delivery_rate 23303704bps delivered:264 busy:360ms rwnd_limited:80ms(22.2%) unacked:244 rcv_space:14480 rcv_ssthresh:64088 notsent:692368 minrtt:53.183 snd_wnd:353280
State Recv-Q Send-Q  Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       172.22.168.18:37466 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.255/15.006 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2175195bps lastsnd:1500 lastrcv:1340 lastack:1340 pacing_rate 4350328bps delivery_rate 435112bps delivered:4 app_limited busy:104ms rcv_space:14480 rcv_ssthresh:64088 minrtt:53.16 snd_wnd:65536
ESTAB 0      2198288 172.22.168.18:37482 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb2916864,f2288,w2291472,o0,bl0,d0) cubic wscale:10,10 rto:280 rtt:77.92/0.323 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:447 ssthresh:443 bytes_sent:9365477 bytes_retrans:44888 bytes_acked:8674782 segs_out:6471 segs_in:3429 data_segs_out:6469 send 66453388bps lastrcv:1396 pacing_rate 79743168bps delivery_rate 65621584bps delivered:5993 busy:1392ms rwnd_limited:96ms(6.9%) unacked:446 retrans:0/31 rcv_space:14480 rcv_ssthresh:64088 notsent:1552480 minrtt:53.183 snd_wnd:3162112
State Recv-Q Send-Q  Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       172.22.168.18:37466 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.255/15.006 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2175195bps lastsnd:2476 lastrcv:2316 lastack:2316 pacing_rate 4350328bps delivery_rate 435112bps delivered:4 app_limited busy:104ms rcv_space:14480 rcv_ssthresh:64088 minrtt:53.16 snd_wnd:65536
ESTAB 0      2436200 172.22.168.18:37482 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb2916864,f3736,w2519400,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:54.071/0.253 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:241 ssthresh:239 bytes_sent:16996437 bytes_retrans:81088 bytes_acked:16569278 segs_out:11741 segs_in:6219 data_segs_out:11739 send 51631078bps lastrcv:2372 pacing_rate 61956856bps delivery_rate 50626368bps delivered:11445 busy:2368ms rwnd_limited:96ms(4.1%) unacked:239 retrans:0/56 rcv_space:14480 rcv_ssthresh:64088 notsent:2090128 minrtt:53.183 snd_wnd:4664320
State Recv-Q Send-Q  Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       172.22.168.18:37466 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.255/15.006 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2175195bps lastsnd:3476 lastrcv:3316 lastack:3316 pacing_rate 4350328bps delivery_rate 435112bps delivered:4 app_limited busy:104ms rcv_space:14480 rcv_ssthresh:64088 minrtt:53.16 snd_wnd:65536
ESTAB 0      2665992 172.22.168.18:37482 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb2916864,f1720,w2746696,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.671/0.145 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:189 ssthresh:179 bytes_sent:22836221 bytes_retrans:88328 bytes_acked:22477118 segs_out:15774 segs_in:8462 data_segs_out:15772 send 40792532bps lastrcv:3372 pacing_rate 48950352bps delivery_rate 40388568bps delivered:15525 busy:3368ms rwnd_limited:96ms(2.9%) unacked:187 retrans:0/61 rcv_space:14480 rcv_ssthresh:64088 notsent:2395216 minrtt:53.183 snd_wnd:4664320
State Recv-Q Send-Q  Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       172.22.168.18:37466 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.255/15.006 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2175195bps lastsnd:4476 lastrcv:4316 lastack:4316 pacing_rate 4350328bps delivery_rate 435112bps delivered:4 app_limited busy:104ms rcv_space:14480 rcv_ssthresh:64088 minrtt:53.16 snd_wnd:65536
ESTAB 0      2254760 172.22.168.18:37482 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb2916864,f3784,w2335032,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.711/0.198 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:206 ssthresh:179 bytes_sent:28161965 bytes_retrans:88328 bytes_acked:27775350 segs_out:19452 segs_in:10320 data_segs_out:19450 send 44428590bps lastrcv:4372 pacing_rate 53348568bps delivery_rate 44014600bps delivered:19184 busy:4368ms rwnd_limited:96ms(2.2%) unacked:206 retrans:0/61 rcv_space:14480 rcv_ssthresh:64088 notsent:1956472 minrtt:53.183 snd_wnd:4664320
State Recv-Q Send-Q  Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       172.22.168.18:37466 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.255/15.006 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2175195bps lastsnd:5472 lastrcv:5312 lastack:5312 pacing_rate 4350328bps delivery_rate 435112bps delivered:4 app_limited busy:104ms rcv_space:14480 rcv_ssthresh:64088 minrtt:53.16 snd_wnd:65536
ESTAB 0      1955024 172.22.168.18:37482 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb2916864,f112,w2027408,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.581/0.09 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:159 ssthresh:145 bytes_sent:32569677 bytes_retrans:97016 bytes_acked:32245326 segs_out:22496 segs_in:12039 data_segs_out:22494 send 34375170bps lastrcv:5368 pacing_rate 41249816bps delivery_rate 34100416bps delivered:22271 busy:5364ms rwnd_limited:96ms(1.8%) unacked:157 retrans:0/67 rcv_space:14480 rcv_ssthresh:64088 notsent:1727688 minrtt:53 snd_wnd:4664320
State Recv-Q Send-Q  Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       172.22.168.18:37466 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.255/15.006 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2175195bps lastsnd:6476 lastrcv:6316 lastack:6316 pacing_rate 4350328bps delivery_rate 435112bps delivered:4 app_limited busy:104ms rcv_space:14480 rcv_ssthresh:64088 minrtt:53.16 snd_wnd:65536
ESTAB 0      2379288 172.22.168.18:37482 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb2916864,f40,w2461656,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.733/0.278 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:170 ssthresh:145 bytes_sent:37051237 bytes_retrans:97016 bytes_acked:36708062 segs_out:25591 segs_in:13966 data_segs_out:25589 send 36649359bps lastrcv:6372 pacing_rate 43978712bps delivery_rate 36526216bps delivered:25353 busy:6368ms rwnd_limited:96ms(1.5%) unacked:170 retrans:0/67 rcv_space:14480 rcv_ssthresh:64088 notsent:2133128 minrtt:53 snd_wnd:4664320
State Recv-Q Send-Q  Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       172.22.168.18:37466 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.255/15.006 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2175195bps lastsnd:7476 lastrcv:7316 lastack:7316 pacing_rate 4350328bps delivery_rate 435112bps delivered:4 app_limited busy:104ms rcv_space:14480 rcv_ssthresh:64088 minrtt:53.16 snd_wnd:65536
ESTAB 0      2619656 172.22.168.18:37482 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb2916864,f3704,w2707848,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.608/0.063 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:175 ssthresh:145 bytes_sent:41705109 bytes_retrans:97016 bytes_acked:41354694 segs_out:28805 segs_in:15979 data_segs_out:28803 send 37815251bps lastsnd:4 lastrcv:7372 lastack:4 pacing_rate 45377768bps delivery_rate 37811016bps delivered:28562 busy:7368ms rwnd_limited:96ms(1.3%) unacked:175 retrans:0/67 rcv_space:14480 rcv_ssthresh:64088 notsent:2366256 minrtt:53 snd_wnd:4664320
State Recv-Q Send-Q  Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       172.22.168.18:37466 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.255/15.006 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2175195bps lastsnd:8472 lastrcv:8312 lastack:8312 pacing_rate 4350328bps delivery_rate 435112bps delivered:4 app_limited busy:104ms rcv_space:14480 rcv_ssthresh:64088 minrtt:53.16 snd_wnd:65536
ESTAB 0      2726808 172.22.168.18:37482 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb2916864,f616,w2813336,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.738/0.164 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:181 ssthresh:145 bytes_sent:46492197 bytes_retrans:97016 bytes_acked:46134542 segs_out:32111 segs_in:18070 data_segs_out:32109 send 39017157bps lastrcv:8368 pacing_rate 46820256bps delivery_rate 38922272bps delivered:31863 busy:8364ms rwnd_limited:96ms(1.1%) unacked:180 retrans:0/67 rcv_space:14480 rcv_ssthresh:64088 notsent:2466168 minrtt:53 snd_wnd:4664320
State Recv-Q Send-Q  Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0       172.22.168.18:37466 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.255/15.006 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 2175195bps lastsnd:9476 lastrcv:9316 lastack:9316 pacing_rate 4350328bps delivery_rate 435112bps delivered:4 app_limited busy:104ms rcv_space:14480 rcv_ssthresh:64088 minrtt:53.16 snd_wnd:65536
ESTAB 0      2632688 172.22.168.18:37482 172.27.125.19:5201
	 skmem:(r0,rb131072,t0,tb2916864,f3920,w2711728,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.753/0.25 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:191 ssthresh:145 bytes_sent:51486349 bytes_retrans:97016 bytes_acked:51115662 segs_out:35560 segs_in:19972 data_segs_out:35558 send 41161312bps lastrcv:9372 pacing_rate 49393112bps delivery_rate 40619352bps delivered:35303 busy:9368ms rwnd_limited:96ms(1.0%) unacked:189 retrans:0/67 rcv_space:14480 rcv_ssthresh:64088 notsent:2359016 minrtt:53 snd_wnd:4664320
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
