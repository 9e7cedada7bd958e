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
net.ipv4.tcp_wmem = 4096	65536	33554432
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
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      0      172.30.184.90:48580 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:352 rtt:120.182/33.815 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 963871bps lastsnd:400 lastrcv:36 lastack:36 pacing_rate 1927728bps delivery_rate 192752bps delivered:4 app_limited busy:240ms rcv_space:14480 rcv_ssthresh:64088 minrtt:120.138 snd_wnd:65536
ESTAB 0      78192  172.30.184.90:48586 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f2000,w84016,o0,bl0,d0) cubic wscale:10,10 rto:364 rtt:120.179/45.073 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:14517 bytes_acked:38 segs_out:13 segs_in:2 data_segs_out:11 send 963896bps lastsnd:36 lastrcv:156 lastack:36 pacing_rate 1927776bps delivery_rate 96400bps delivered:2 app_limited busy:156ms unacked:10 rcv_space:14480 rcv_ssthresh:64088 notsent:63712 minrtt:120.163 snd_wnd:65536     
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.30.184.90:48580 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:352 rtt:120.182/33.815 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 963871bps lastsnd:1400 lastrcv:1036 lastack:1036 pacing_rate 1927728bps delivery_rate 192752bps delivered:4 app_limited busy:240ms rcv_space:14480 rcv_ssthresh:64088 minrtt:120.138 snd_wnd:65536
ESTAB 0      78192  172.30.184.90:48586 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f336,w85680,o0,bl0,d0) cubic wscale:10,10 rto:728 backoff:1 rtt:120.179/45.073 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:17413 bytes_retrans:1448 bytes_acked:38 segs_out:15 segs_in:2 data_segs_out:13 send 96390bps lastsnd:392 lastrcv:1156 lastack:1036 pacing_rate 1927776bps delivery_rate 96400bps delivered:2 app_limited busy:1156ms unacked:11 retrans:1/1 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:62264 minrtt:120.163 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.30.184.90:48580 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:352 rtt:120.182/33.815 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 963871bps lastsnd:2516 lastrcv:2152 lastack:2152 pacing_rate 1927728bps delivery_rate 192752bps delivered:4 app_limited busy:240ms rcv_space:14480 rcv_ssthresh:64088 minrtt:120.138 snd_wnd:65536
ESTAB 0      78192  172.30.184.90:48586 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f336,w85680,o0,bl0,d0) cubic wscale:10,10 rto:1456 backoff:2 rtt:120.179/45.073 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:18861 bytes_retrans:2896 bytes_acked:38 segs_out:16 segs_in:2 data_segs_out:14 send 96390bps lastsnd:772 lastrcv:2272 lastack:2152 pacing_rate 1927776bps delivery_rate 96400bps delivered:2 app_limited busy:2272ms unacked:11 retrans:1/2 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:62264 minrtt:120.163 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.30.184.90:48580 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:352 rtt:120.182/33.815 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 963871bps lastsnd:3368 lastrcv:3004 lastack:3004 pacing_rate 1927728bps delivery_rate 192752bps delivered:4 app_limited busy:240ms rcv_space:14480 rcv_ssthresh:64088 minrtt:120.138 snd_wnd:65536
ESTAB 0      78192  172.30.184.90:48586 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f336,w85680,o0,bl0,d0) cubic wscale:10,10 rto:2912 backoff:3 rtt:120.179/45.073 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:20309 bytes_retrans:4344 bytes_acked:38 segs_out:17 segs_in:2 data_segs_out:15 send 96390bps lastsnd:152 lastrcv:3124 lastack:3004 pacing_rate 1927776bps delivery_rate 96400bps delivered:2 app_limited busy:3124ms unacked:11 retrans:1/3 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:62264 minrtt:120.163 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.30.184.90:48580 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:352 rtt:120.182/33.815 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 963871bps lastsnd:4384 lastrcv:4020 lastack:4020 pacing_rate 1927728bps delivery_rate 192752bps delivered:4 app_limited busy:240ms rcv_space:14480 rcv_ssthresh:64088 minrtt:120.138 snd_wnd:65536
ESTAB 0      78192  172.30.184.90:48586 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f336,w85680,o0,bl0,d0) cubic wscale:10,10 rto:2912 backoff:3 rtt:120.179/45.073 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:20309 bytes_retrans:4344 bytes_acked:38 segs_out:17 segs_in:2 data_segs_out:15 send 96390bps lastsnd:1168 lastrcv:4140 lastack:4020 pacing_rate 1927776bps delivery_rate 96400bps delivered:2 app_limited busy:4140ms unacked:11 retrans:1/3 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:62264 minrtt:120.163 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.30.184.90:48580 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:352 rtt:120.182/33.815 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 963871bps lastsnd:5372 lastrcv:5008 lastack:5008 pacing_rate 1927728bps delivery_rate 192752bps delivered:4 app_limited busy:240ms rcv_space:14480 rcv_ssthresh:64088 minrtt:120.138 snd_wnd:65536
ESTAB 0      78192  172.30.184.90:48586 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f336,w85680,o0,bl0,d0) cubic wscale:10,10 rto:2912 backoff:3 rtt:120.179/45.073 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:20309 bytes_retrans:4344 bytes_acked:38 segs_out:17 segs_in:2 data_segs_out:15 send 96390bps lastsnd:2156 lastrcv:5128 lastack:5008 pacing_rate 1927776bps delivery_rate 96400bps delivered:2 app_limited busy:5128ms unacked:11 retrans:1/3 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:62264 minrtt:120.163 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.30.184.90:48580 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:352 rtt:120.182/33.815 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 963871bps lastsnd:6388 lastrcv:6024 lastack:6024 pacing_rate 1927728bps delivery_rate 192752bps delivered:4 app_limited busy:240ms rcv_space:14480 rcv_ssthresh:64088 minrtt:120.138 snd_wnd:65536
ESTAB 0      78192  172.30.184.90:48586 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f336,w85680,o0,bl0,d0) cubic wscale:10,10 rto:5824 backoff:4 rtt:120.179/45.073 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21757 bytes_retrans:5792 bytes_acked:38 segs_out:18 segs_in:2 data_segs_out:16 send 96390bps lastsnd:4 lastrcv:6144 lastack:6024 pacing_rate 1927776bps delivery_rate 96400bps delivered:2 app_limited busy:6144ms unacked:11 retrans:1/4 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:62264 minrtt:120.163 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.30.184.90:48580 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:352 rtt:120.182/33.815 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 963871bps lastsnd:7388 lastrcv:7024 lastack:7024 pacing_rate 1927728bps delivery_rate 192752bps delivered:4 app_limited busy:240ms rcv_space:14480 rcv_ssthresh:64088 minrtt:120.138 snd_wnd:65536
ESTAB 0      78192  172.30.184.90:48586 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f336,w85680,o0,bl0,d0) cubic wscale:10,10 rto:5824 backoff:4 rtt:120.179/45.073 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21757 bytes_retrans:5792 bytes_acked:38 segs_out:18 segs_in:2 data_segs_out:16 send 96390bps lastsnd:1004 lastrcv:7144 lastack:7024 pacing_rate 1927776bps delivery_rate 96400bps delivered:2 app_limited busy:7144ms unacked:11 retrans:1/4 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:62264 minrtt:120.163 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.30.184.90:48580 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:352 rtt:120.182/33.815 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 963871bps lastsnd:8392 lastrcv:8028 lastack:8028 pacing_rate 1927728bps delivery_rate 192752bps delivered:4 app_limited busy:240ms rcv_space:14480 rcv_ssthresh:64088 minrtt:120.138 snd_wnd:65536
ESTAB 0      78192  172.30.184.90:48586 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f336,w85680,o0,bl0,d0) cubic wscale:10,10 rto:5824 backoff:4 rtt:120.179/45.073 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21757 bytes_retrans:5792 bytes_acked:38 segs_out:18 segs_in:2 data_segs_out:16 send 96390bps lastsnd:2008 lastrcv:8148 lastack:8028 pacing_rate 1927776bps delivery_rate 96400bps delivered:2 app_limited busy:8148ms unacked:11 retrans:1/4 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:62264 minrtt:120.163 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.30.184.90:48580 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:352 rtt:120.182/33.815 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 963871bps lastsnd:9380 lastrcv:9016 lastack:9016 pacing_rate 1927728bps delivery_rate 192752bps delivered:4 app_limited busy:240ms rcv_space:14480 rcv_ssthresh:64088 minrtt:120.138 snd_wnd:65536
ESTAB 0      78192  172.30.184.90:48586 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f336,w85680,o0,bl0,d0) cubic wscale:10,10 rto:5824 backoff:4 rtt:120.179/45.073 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21757 bytes_retrans:5792 bytes_acked:38 segs_out:18 segs_in:2 data_segs_out:16 send 96390bps lastsnd:2996 lastrcv:9136 lastack:9016 pacing_rate 1927776bps delivery_rate 96400bps delivered:2 app_limited busy:9136ms unacked:11 retrans:1/4 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:62264 minrtt:120.163 snd_wnd:65536
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      1      172.30.184.90:48580 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f3263,w833,o0,bl0,d0) cubic wscale:10,10 rto:352 rtt:120.182/33.815 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:166 bytes_acked:166 bytes_received:4 segs_out:10 segs_in:7 data_segs_out:4 data_segs_in:4 send 963871bps lastsnd:28 lastrcv:10028 lastack:10028 pacing_rate 1927728bps delivery_rate 192752bps delivered:4 app_limited busy:268ms unacked:1 rcv_space:14480 rcv_ssthresh:64088 minrtt:120.138 snd_wnd:65536
ESTAB 0      78192  172.30.184.90:48586 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f336,w85680,o0,bl0,d0) cubic wscale:10,10 rto:5824 backoff:4 rtt:120.179/45.073 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21757 bytes_retrans:5792 bytes_acked:38 segs_out:18 segs_in:2 data_segs_out:16 send 96390bps lastsnd:4008 lastrcv:10148 lastack:10028 pacing_rate 1927776bps delivery_rate 96400bps delivered:2 app_limited busy:10148ms unacked:11 retrans:1/4 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:62264 minrtt:120.163 snd_wnd:65536
State    Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess
LAST-ACK 1      78193  172.30.184.90:48586 172.28.114.91:5201
	 skmem:(r0,rb131072,t0,tb65536,f336,w85680,o0,bl0,d0) cubic wscale:10,10 rto:5824 backoff:4 rtt:120.179/45.073 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21757 bytes_retrans:5792 bytes_acked:38 bytes_received:1 segs_out:19 segs_in:3 data_segs_out:16 send 96390bps lastsnd:4992 lastrcv:11132 lastack:892 pacing_rate 2120552bps delivery_rate 96400bps delivered:2 app_limited busy:11132ms unacked:11 retrans:1/4 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:62265 minrtt:120.163 snd_wnd:65536
