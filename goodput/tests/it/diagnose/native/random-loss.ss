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
net.ipv4.tcp_wmem = 4096	16384	101408
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
State    Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB    0      0      172.29.27.138:36070 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.292/40.635 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:2 segs_out:7 segs_in:5 data_segs_out:3 data_segs_in:2 send 802817bps lastsnd:188 lastrcv:44 lastack:44 pacing_rate 1605624bps delivery_rate 160448bps delivered:4 app_limited busy:288ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.255 snd_wnd:65536
SYN-SENT 0      1      172.29.27.138:36076 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb16384,f3264,w832,o0,bl0,d0) cubic rto:1000 mss:524 pmtu:1500 rcvmss:88 advmss:1460 cwnd:10 segs_out:1 lastsnd:4700764 lastrcv:4700764 lastack:4700764 app_limited unacked:1 rcv_ssthresh:64240                                                                                                                                                                                                                                      
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0      172.29.27.138:36070 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.292/40.635 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 802817bps lastsnd:1152 lastrcv:716 lastack:716 pacing_rate 1605624bps delivery_rate 160448bps delivered:4 app_limited busy:288ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.255 snd_wnd:65536
ESTAB 0      284560 172.29.27.138:36076 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb101408,f3568,w352784,o0,bl0,d0) reno wscale:10,10 rto:420 rtt:189.266/7.486 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:160 bytes_sent:447525 bytes_acked:216542 segs_out:313 segs_in:133 data_segs_out:311 send 9792778bps lastsnd:36 lastrcv:864 lastack:36 pacing_rate 19585504bps delivery_rate 4705496bps delivered:152 app_limited busy:864ms unacked:160 rcv_space:14480 rcv_ssthresh:64088 notsent:53576 minrtt:144.221 snd_wnd:346112
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.29.27.138:36070 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.292/40.635 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 802817bps lastsnd:2156 lastrcv:1720 lastack:1720 pacing_rate 1605624bps delivery_rate 160448bps delivered:4 app_limited busy:288ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.255 snd_wnd:65536
ESTAB 0      176712 172.29.27.138:36076 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb101408,f2168,w210824,o0,bl0,d0) reno wscale:10,10 rto:396 rtt:187.248/3.232 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:78 ssthresh:78 bytes_sent:1014557 bytes_retrans:8688 bytes_acked:894318 segs_out:707 segs_in:514 data_segs_out:705 send 4825429bps lastsnd:32 lastrcv:1868 lastack:32 pacing_rate 5790488bps delivery_rate 9581472bps delivered:622 app_limited busy:1868ms unacked:78 retrans:0/6 rcv_space:14480 rcv_ssthresh:64088 notsent:65160 minrtt:144.221 snd_wnd:482304
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.29.27.138:36070 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.292/40.635 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 802817bps lastsnd:3152 lastrcv:2716 lastack:2716 pacing_rate 1605624bps delivery_rate 160448bps delivered:4 app_limited busy:288ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.255 snd_wnd:65536
ESTAB 0      169416 172.29.27.138:36076 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb101408,f2040,w206856,o0,bl0,d0) reno wscale:10,10 rto:360 rtt:156.881/10.518 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:75 ssthresh:41 bytes_sent:1579277 bytes_retrans:10136 bytes_acked:1440270 segs_out:1097 segs_in:782 data_segs_out:1095 send 5537956bps lastsnd:40 lastrcv:2864 lastack:36 pacing_rate 7886048bps delivery_rate 6216296bps delivered:1014 app_limited busy:2864ms unacked:89 retrans:1/7 lost:1 sacked:14 rcv_space:14480 rcv_ssthresh:64088 notsent:40544 minrtt:144.221 snd_wnd:1046528
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.29.27.138:36070 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.292/40.635 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 802817bps lastsnd:4156 lastrcv:3720 lastack:3720 pacing_rate 1605624bps delivery_rate 160448bps delivered:4 app_limited busy:288ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.255 snd_wnd:65536
ESTAB 0      97016  172.29.27.138:36076 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb101408,f136,w118648,o0,bl0,d0) reno wscale:10,10 rto:352 rtt:149.247/2.911 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:46 ssthresh:41 bytes_sent:1984717 bytes_retrans:10136 bytes_acked:1907974 segs_out:1377 segs_in:978 data_segs_out:1375 send 3570350bps lastsnd:8 lastrcv:3868 lastack:8 pacing_rate 4284408bps delivery_rate 3554416bps delivered:1323 app_limited busy:3868ms unacked:46 retrans:0/7 rcv_space:14480 rcv_ssthresh:64088 notsent:30408 minrtt:144.221 snd_wnd:1048576
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.29.27.138:36070 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.292/40.635 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 802817bps lastsnd:5676 lastrcv:5240 lastack:5240 pacing_rate 1605624bps delivery_rate 160448bps delivered:4 app_limited busy:288ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.255 snd_wnd:65536
ESTAB 0      94176  172.29.27.138:36076 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb101408,f2080,w120800,o0,bl0,d0) reno wscale:10,10 rto:352 rtt:149.549/5.28 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:56 ssthresh:41 bytes_sent:2709805 bytes_retrans:10136 bytes_acked:2619974 segs_out:1880 segs_in:1245 data_segs_out:1878 send 4337735bps lastsnd:4 lastrcv:5388 lastack:4 pacing_rate 5205264bps delivery_rate 3999616bps delivered:1816 busy:5388ms unacked:56 retrans:0/7 rcv_space:14480 rcv_ssthresh:64088 notsent:14480 minrtt:144.221 snd_wnd:1048576
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.29.27.138:36070 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.292/40.635 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 802817bps lastsnd:6152 lastrcv:5716 lastack:5716 pacing_rate 1605624bps delivery_rate 160448bps delivered:4 app_limited busy:288ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.255 snd_wnd:65536
ESTAB 0      128872 172.29.27.138:36076 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb101408,f3416,w156328,o0,bl0,d0) reno wscale:10,10 rto:356 rtt:152.78/7.109 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 ssthresh:41 bytes_sent:2976237 bytes_retrans:10136 bytes_acked:2880670 segs_out:2064 segs_in:1343 data_segs_out:2062 send 4473465bps lastsnd:8 lastrcv:5864 lastack:8 pacing_rate 5368144bps delivery_rate 4583904bps delivered:1997 app_limited busy:5864ms unacked:59 retrans:0/7 rcv_space:14480 rcv_ssthresh:64088 notsent:43440 minrtt:144.221 snd_wnd:1048576
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.29.27.138:36070 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.292/40.635 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 802817bps lastsnd:7164 lastrcv:6728 lastack:6728 pacing_rate 1605624bps delivery_rate 160448bps delivered:4 app_limited busy:288ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.255 snd_wnd:65536
ESTAB 0      96320  172.29.27.138:36076 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb101408,f704,w126272,o0,bl0,d0) reno wscale:10,10 rto:352 rtt:150.304/3.538 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:65 ssthresh:41 bytes_sent:3496237 bytes_retrans:10136 bytes_acked:3392678 segs_out:2425 segs_in:1530 data_segs_out:2423 send 5009581bps lastsnd:4 lastrcv:6876 lastack:4 pacing_rate 6011480bps delivery_rate 4810128bps delivered:2352 busy:6876ms unacked:65 retrans:0/7 rcv_space:14480 rcv_ssthresh:64088 notsent:2896 minrtt:144.221 snd_wnd:1048576
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.29.27.138:36070 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.292/40.635 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 802817bps lastsnd:8744 lastrcv:8308 lastack:8308 pacing_rate 1605624bps delivery_rate 160448bps delivered:4 app_limited busy:288ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.255 snd_wnd:65536
ESTAB 0      72400  172.29.27.138:36076 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb101408,f2672,w91536,o0,bl0,d0) reno wscale:10,10 rto:352 rtt:150.716/7.851 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:38 ssthresh:33 bytes_sent:4081229 bytes_retrans:13032 bytes_acked:4013174 segs_out:2829 segs_in:1777 data_segs_out:2827 send 2920672bps lastsnd:24 lastrcv:8456 lastack:24 pacing_rate 3504800bps delivery_rate 2922736bps delivered:2781 busy:8456ms unacked:38 retrans:0/9 rcv_space:14480 rcv_ssthresh:64088 notsent:17376 minrtt:144.221 snd_wnd:1048576
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.29.27.138:36070 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.292/40.635 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 802817bps lastsnd:9684 lastrcv:9248 lastack:9248 pacing_rate 1605624bps delivery_rate 160448bps delivered:4 app_limited busy:288ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.255 snd_wnd:65536
ESTAB 0      124528 172.29.27.138:36076 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb101408,f1296,w146160,o0,bl0,d0) reno wscale:10,10 rto:356 rtt:153.529/2.641 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:45 ssthresh:33 bytes_sent:4496805 bytes_retrans:13032 bytes_acked:4418614 segs_out:3116 segs_in:1932 data_segs_out:3114 send 3395319bps lastrcv:9396 pacing_rate 4074376bps delivery_rate 3288272bps delivered:3061 app_limited busy:9396ms unacked:45 retrans:0/9 rcv_space:14480 rcv_ssthresh:64088 notsent:59368 minrtt:144.221 snd_wnd:1048576
State Recv-Q Send-Q Local Address:Port   Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                              
ESTAB 0      0      172.29.27.138:36070 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.292/40.635 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 802817bps lastsnd:10184 lastrcv:9748 lastack:9748 pacing_rate 1605624bps delivery_rate 160448bps delivered:4 app_limited busy:288ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.255 snd_wnd:65536
ESTAB 0      98464  172.29.27.138:36076 172.27.94.139:5201
	 skmem:(r0,rb131072,t0,tb101408,f1952,w120928,o0,bl0,d0) reno wscale:10,10 rto:356 rtt:154.074/11.298 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:48 ssthresh:33 bytes_sent:4693733 bytes_retrans:13032 bytes_acked:4611198 segs_out:3252 segs_in:2004 data_segs_out:3250 send 3608863bps lastsnd:12 lastrcv:9896 lastack:12 pacing_rate 4330624bps delivery_rate 3712560bps delivered:3194 app_limited busy:9896ms unacked:48 retrans:0/9 rcv_space:14480 rcv_ssthresh:64088 notsent:28960 minrtt:144.221 snd_wnd:1048576
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
