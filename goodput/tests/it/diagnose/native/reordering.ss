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
net.ipv4.tcp_wmem = 4096	16384	160036
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
2026-11-25T00:35:16+00:00
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
2026-11-25T00:35:17+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                       
ESTAB 0      0      10.133.43.141:43668 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:26.281/7.432 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 4407747bps lastsnd:648 lastrcv:568 lastack:568 pacing_rate 8815488bps delivery_rate 885760bps delivered:4 app_limited busy:52ms rcv_space:14480 rcv_ssthresh:64088 minrtt:26.133 snd_wnd:65536
ESTAB 0      194088 10.133.43.141:43684 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb160036,f664,w208232,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:38.737/16.124 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:47 ssthresh:140 bytes_sent:2217317 bytes_retrans:351864 bytes_acked:1733630 segs_out:1539 segs_in:724 data_segs_out:1537 send 14054986bps lastsnd:4 lastrcv:596 lastack:4 pacing_rate 53826384bps delivery_rate 16435496bps delivered:1248 busy:596ms rwnd_limited:16ms(2.7%) unacked:92 retrans:19/243 lost:19 sacked:45 reordering:219 reord_seen:24 rcv_space:14480 rcv_ssthresh:64088 notsent:62264 minrtt:26 snd_wnd:1213440
2026-11-25T00:35:18+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.133.43.141:43668 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:26.281/7.432 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 4407747bps lastsnd:1668 lastrcv:1588 lastack:1588 pacing_rate 8815488bps delivery_rate 885760bps delivered:4 app_limited busy:52ms rcv_space:14480 rcv_ssthresh:64088 minrtt:26.133 snd_wnd:65536
ESTAB 0      205672 10.133.43.141:43684 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb160036,f1944,w235624,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.869/4.982 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:98 ssthresh:98 bytes_sent:6111885 bytes_retrans:416384 bytes_acked:5554990 segs_out:4239 segs_in:1909 data_segs_out:4237 send 35621827bps lastsnd:4 lastrcv:1616 lastack:4 pacing_rate 42746192bps delivery_rate 7374880bps delivered:3851 busy:1616ms rwnd_limited:16ms(1.0%) unacked:98 retrans:0/289 reordering:219 reord_seen:73 rcv_space:14480 rcv_ssthresh:64088 notsent:65160 minrtt:26 snd_wnd:1159168
2026-11-25T00:35:19+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.133.43.141:43668 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:26.281/7.432 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 4407747bps lastsnd:2632 lastrcv:2552 lastack:2552 pacing_rate 8815488bps delivery_rate 885760bps delivered:4 app_limited busy:52ms rcv_space:14480 rcv_ssthresh:64088 minrtt:26.133 snd_wnd:65536
ESTAB 0      136920 10.133.43.141:43684 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb160036,f2856,w156888,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.039/7.09 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:98 ssthresh:98 bytes_sent:9511069 bytes_retrans:467064 bytes_acked:8907086 segs_out:6596 segs_in:2841 data_segs_out:6594 send 36574374bps lastsnd:8 lastrcv:2580 lastack:4 pacing_rate 43888360bps delivery_rate 41730688bps delivered:6204 app_limited busy:2580ms rwnd_limited:16ms(0.6%) unacked:95 retrans:0/324 sacked:28 reordering:219 reord_seen:145 rcv_space:14480 rcv_ssthresh:64088 minrtt:26 snd_wnd:1241088
2026-11-25T00:35:20+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.133.43.141:43668 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:26.281/7.432 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 4407747bps lastsnd:3664 lastrcv:3584 lastack:3584 pacing_rate 8815488bps delivery_rate 885760bps delivered:4 app_limited busy:52ms rcv_space:14480 rcv_ssthresh:64088 minrtt:26.133 snd_wnd:65536
ESTAB 0      207816 10.133.43.141:43684 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb160036,f632,w236936,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.61/5.526 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:99 ssthresh:98 bytes_sent:13369325 bytes_retrans:526432 bytes_acked:12700238 segs_out:9270 segs_in:3955 data_segs_out:9268 send 36280165bps lastsnd:4 lastrcv:3612 lastack:4 pacing_rate 43535160bps delivery_rate 307520bps delivered:8805 busy:3612ms rwnd_limited:16ms(0.4%) unacked:99 retrans:0/365 reordering:219 reord_seen:205 rcv_space:14480 rcv_ssthresh:64088 notsent:65160 minrtt:26 snd_wnd:1174528
2026-11-25T00:35:21+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.133.43.141:43668 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:26.281/7.432 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 4407747bps lastsnd:4660 lastrcv:4580 lastack:4580 pacing_rate 8815488bps delivery_rate 885760bps delivered:4 app_limited busy:52ms rcv_space:14480 rcv_ssthresh:64088 minrtt:26.133 snd_wnd:65536
ESTAB 0      207064 10.133.43.141:43684 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb160036,f3176,w226200,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:29.991/1.891 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:100 ssthresh:98 bytes_sent:17000829 bytes_retrans:591592 bytes_acked:16202174 segs_out:11788 segs_in:5000 data_segs_out:11786 send 38624921bps lastsnd:8 lastrcv:4608 lastack:4 pacing_rate 66279528bps delivery_rate 43212360bps delivered:11293 app_limited busy:4608ms rwnd_limited:16ms(0.3%) unacked:143 retrans:0/410 sacked:59 reordering:219 reord_seen:278 rcv_space:14480 rcv_ssthresh:64088 minrtt:26 snd_wnd:1281024
2026-11-25T00:35:22+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.133.43.141:43668 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:26.281/7.432 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 4407747bps lastsnd:5648 lastrcv:5568 lastack:5568 pacing_rate 8815488bps delivery_rate 885760bps delivered:4 app_limited busy:52ms rcv_space:14480 rcv_ssthresh:64088 minrtt:26.133 snd_wnd:65536
ESTAB 0      133968 10.133.43.141:43684 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb160036,f3184,w164752,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:27.842/0.726 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:100 ssthresh:98 bytes_sent:20571741 bytes_retrans:659648 bytes_acked:19778126 segs_out:14263 segs_in:5969 data_segs_out:14261 send 41606206bps lastrcv:5596 pacing_rate 49926992bps delivery_rate 43525728bps delivered:13715 app_limited busy:5596ms rwnd_limited:16ms(0.3%) unacked:93 retrans:0/457 sacked:3 reordering:219 reord_seen:358 rcv_space:14480 rcv_ssthresh:64088 minrtt:26 snd_wnd:1280000
2026-11-25T00:35:23+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.133.43.141:43668 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:26.281/7.432 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 4407747bps lastsnd:6632 lastrcv:6552 lastack:6552 pacing_rate 8815488bps delivery_rate 885760bps delivered:4 app_limited busy:52ms rcv_space:14480 rcv_ssthresh:64088 minrtt:26.133 snd_wnd:65536
ESTAB 0      166520 10.133.43.141:43684 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb160036,f392,w179832,o0,bl0,d0) cubic wscale:10,10 rto:236 rtt:32.669/9.185 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:22 ssthresh:70 bytes_sent:23975213 bytes_retrans:719016 bytes_acked:23217102 segs_out:16622 segs_in:6833 data_segs_out:16620 send 7800912bps lastsnd:4 lastrcv:6580 lastack:4 pacing_rate 18438304bps delivery_rate 43982072bps delivered:16101 busy:6580ms rwnd_limited:16ms(0.2%) unacked:27 retrans:1/498 lost:1 sacked:5 reordering:219 reord_seen:427 rcv_space:14480 rcv_ssthresh:64088 notsent:127424 minrtt:26 snd_wnd:1275904
2026-11-25T00:35:24+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.133.43.141:43668 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:26.281/7.432 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 4407747bps lastsnd:7668 lastrcv:7588 lastack:7588 pacing_rate 8815488bps delivery_rate 885760bps delivered:4 app_limited busy:52ms rcv_space:14480 rcv_ssthresh:64088 minrtt:26.133 snd_wnd:65536
ESTAB 0      178104 10.133.43.141:43684 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb160036,f904,w203896,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:30.228/2.743 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:101 ssthresh:98 bytes_sent:27789333 bytes_retrans:781280 bytes_acked:26829950 segs_out:19266 segs_in:7904 data_segs_out:19264 send 38705306bps lastsnd:8 lastrcv:7616 lastack:4 pacing_rate 56561760bps delivery_rate 38472392bps delivered:18670 app_limited busy:7616ms rwnd_limited:16ms(0.2%) unacked:123 retrans:0/541 sacked:69 reordering:219 reord_seen:503 rcv_space:14480 rcv_ssthresh:64088 minrtt:26 snd_wnd:1280000
2026-11-25T00:35:25+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.133.43.141:43668 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:26.281/7.432 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 4407747bps lastsnd:8664 lastrcv:8584 lastack:8584 pacing_rate 8815488bps delivery_rate 885760bps delivered:4 app_limited busy:52ms rcv_space:14480 rcv_ssthresh:64088 minrtt:26.133 snd_wnd:65536
ESTAB 0      127480 10.133.43.141:43684 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb160036,f776,w150776,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.853/9.25 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:102 ssthresh:98 bytes_sent:31520221 bytes_retrans:849336 bytes_acked:30543406 segs_out:21851 segs_in:8920 data_segs_out:21849 send 37094402bps lastsnd:4 lastrcv:8612 lastack:4 pacing_rate 44512928bps delivery_rate 44275648bps delivered:21173 app_limited busy:8612ms rwnd_limited:16ms(0.2%) unacked:89 retrans:0/588 reordering:219 reord_seen:584 rcv_space:14480 rcv_ssthresh:64088 minrtt:26 snd_wnd:1280000
2026-11-25T00:35:26+00:00
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      10.133.43.141:43668 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:228 rtt:26.281/7.432 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 4407747bps lastsnd:9652 lastrcv:9572 lastack:9572 pacing_rate 8815488bps delivery_rate 885760bps delivered:4 app_limited busy:52ms rcv_space:14480 rcv_ssthresh:64088 minrtt:26.133 snd_wnd:65536
ESTAB 0      142656 10.133.43.141:43684 10.247.142.142:5201
	 skmem:(r0,rb131072,t0,tb160036,f448,w159296,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:29.959/2.704 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:102 ssthresh:98 bytes_sent:34839709 bytes_retrans:892776 bytes_acked:33804278 segs_out:24153 segs_in:9752 data_segs_out:24151 send 39439501bps lastsnd:16 lastrcv:9600 lastack:8 pacing_rate 47327000bps delivery_rate 33753704bps delivered:23518 app_limited busy:9600ms rwnd_limited:16ms(0.2%) unacked:99 retrans:0/618 sacked:83 reordering:219 reord_seen:666 rcv_space:14480 rcv_ssthresh:64088 minrtt:26 snd_wnd:1280000
2026-11-25T00:35:27+00:00
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
