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
State Recv-Q Send-Q            Local Address:Port           Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      
ESTAB 0      1630448 [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45606
	 skmem:(r0,rb131072,t0,tb2174976,f3856,w1683696,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:38.769/0.141 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:342 ssthresh:330 bytes_sent:4565544 bytes_retrans:1448 bytes_acked:4068880 bytes_received:37 segs_out:3154 segs_in:2270 data_segs_out:3153 data_segs_in:1 send 102188037bps lastrcv:516 pacing_rate 122623272bps delivery_rate 100854608bps delivered:2811 busy:516ms unacked:342 retrans:0/1 rcv_space:14480 rcv_ssthresh:64088 notsent:1135232 minrtt:38.153 snd_wnd:5929984
ESTAB 0      0       [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45592
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:42.128/13.836 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:180 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 2749715bps lastsnd:516 lastrcv:592 lastack:480 pacing_rate 5499392bps delivery_rate 303120bps delivered:5 app_limited busy:152ms rcv_space:14480 rcv_ssthresh:64088 minrtt:38.215 snd_wnd:64512                                                                               
State Recv-Q Send-Q            Local Address:Port           Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                    
ESTAB 0      1734704 [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45606
	 skmem:(r0,rb131072,t0,tb2174976,f3536,w1794608,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:38.529/0.153 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:189 ssthresh:175 bytes_sent:12843760 bytes_retrans:4344 bytes_acked:12565744 bytes_received:37 segs_out:8871 segs_in:7672 data_segs_out:8870 data_segs_in:1 send 56824107bps lastrcv:1516 pacing_rate 68188920bps delivery_rate 56318808bps delivered:8679 busy:1516ms unacked:189 retrans:0/3 rcv_space:14480 rcv_ssthresh:64088 notsent:1461032 minrtt:38 snd_wnd:19710976
ESTAB 0      0       [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45592
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:42.128/13.836 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:180 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 2749715bps lastsnd:1516 lastrcv:1592 lastack:1480 pacing_rate 5499392bps delivery_rate 303120bps delivered:5 app_limited busy:152ms rcv_space:14480 rcv_ssthresh:64088 minrtt:38.215 snd_wnd:64512                                                                          
State Recv-Q Send-Q            Local Address:Port           Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                   
ESTAB 0      2115528 [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45606
	 skmem:(r0,rb131072,t0,tb2174976,f376,w2174600,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:38.439/0.222 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:74 ssthresh:68 bytes_sent:16992280 bytes_retrans:8688 bytes_acked:16876440 bytes_received:37 segs_out:11736 segs_in:9137 data_segs_out:11735 data_segs_in:1 send 22300684bps lastrcv:2516 pacing_rate 26760640bps delivery_rate 22056128bps delivered:11656 busy:2516ms unacked:74 retrans:0/6 rcv_space:14480 rcv_ssthresh:64088 notsent:2008376 minrtt:38 snd_wnd:19712000
ESTAB 0      0       [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45592
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:42.128/13.836 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:180 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 2749715bps lastsnd:2516 lastrcv:2592 lastack:2480 pacing_rate 5499392bps delivery_rate 303120bps delivered:5 app_limited busy:152ms rcv_space:14480 rcv_ssthresh:64088 minrtt:38.215 snd_wnd:64512                                                                         
State Recv-Q Send-Q            Local Address:Port           Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                     
ESTAB 0      1459584 [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45606
	 skmem:(r0,rb131072,t0,tb2174976,f1024,w1514496,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:38.344/0.024 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:87 ssthresh:68 bytes_sent:20012808 bytes_retrans:8688 bytes_acked:19878144 bytes_received:37 segs_out:13822 segs_in:10220 data_segs_out:13821 data_segs_in:1 send 26283330bps lastrcv:3516 pacing_rate 31539480bps delivery_rate 25976480bps delivered:13729 busy:3516ms unacked:87 retrans:0/6 rcv_space:14480 rcv_ssthresh:64088 notsent:1333608 minrtt:38 snd_wnd:19712000
ESTAB 0      0       [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45592
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:42.128/13.836 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:180 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 2749715bps lastsnd:3516 lastrcv:3592 lastack:3480 pacing_rate 5499392bps delivery_rate 303120bps delivered:5 app_limited busy:152ms rcv_space:14480 rcv_ssthresh:64088 minrtt:38.215 snd_wnd:64512                                                                           
State Recv-Q Send-Q            Local Address:Port           Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      2125664 [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45606
	 skmem:(r0,rb131072,t0,tb2174976,f2400,w2193056,o0,bl0,d0) cubic wscale:10,10 rto:480 backoff:1 rtt:38.412/0.202 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:65 bytes_sent:21638912 bytes_retrans:10136 bytes_acked:21492664 bytes_received:37 segs_out:14945 segs_in:10794 data_segs_out:14944 data_segs_in:1 send 301572bps lastsnd:196 lastrcv:4520 lastack:524 pacing_rate 33654928bps delivery_rate 28105496bps delivered:14844 busy:4520ms unacked:94 retrans:1/7 lost:94 rcv_space:14480 rcv_ssthresh:64088 notsent:1989552 minrtt:38 snd_wnd:19712000
ESTAB 0      0       [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45592
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:42.128/13.836 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:180 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 2749715bps lastsnd:4520 lastrcv:4596 lastack:4484 pacing_rate 5499392bps delivery_rate 303120bps delivered:5 app_limited busy:152ms rcv_space:14480 rcv_ssthresh:64088 minrtt:38.215 snd_wnd:64512                                                                                                                   
State Recv-Q Send-Q            Local Address:Port           Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              
ESTAB 0      2125664 [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45606
	 skmem:(r0,rb131072,t0,tb2174976,f2400,w2193056,o0,bl0,d0) cubic wscale:10,10 rto:960 backoff:2 rtt:38.412/0.202 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:65 bytes_sent:21640360 bytes_retrans:11584 bytes_acked:21492664 bytes_received:37 segs_out:14946 segs_in:10794 data_segs_out:14945 data_segs_in:1 send 301572bps lastsnd:708 lastrcv:5516 lastack:1520 pacing_rate 33654928bps delivery_rate 28105496bps delivered:14844 busy:5516ms unacked:94 retrans:1/8 lost:94 rcv_space:14480 rcv_ssthresh:64088 notsent:1989552 minrtt:38 snd_wnd:19712000
ESTAB 0      0       [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45592
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:42.128/13.836 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:180 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 2749715bps lastsnd:5516 lastrcv:5592 lastack:5480 pacing_rate 5499392bps delivery_rate 303120bps delivered:5 app_limited busy:152ms rcv_space:14480 rcv_ssthresh:64088 minrtt:38.215 snd_wnd:64512                                                                                                                    
State Recv-Q Send-Q            Local Address:Port           Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         
ESTAB 0      1908464 [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45606
	 skmem:(r0,rb131072,t0,tb2174976,f1872,w1964208,o0,bl0,d0) cubic wscale:10,10 rto:264 rtt:38.74/0.346 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:77 ssthresh:66 bytes_sent:23459048 bytes_retrans:73848 bytes_acked:23273704 bytes_received:37 segs_out:16202 segs_in:11411 data_segs_out:16201 data_segs_in:1 send 23024471bps lastsnd:20 lastrcv:6516 lastack:20 pacing_rate 27629096bps delivery_rate 22949968bps delivered:16075 busy:6516ms unacked:77 retrans:0/51 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:1796968 minrtt:38 snd_wnd:19712000
ESTAB 0      0       [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45592
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:42.128/13.836 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:180 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 2749715bps lastsnd:6516 lastrcv:6592 lastack:6480 pacing_rate 5499392bps delivery_rate 303120bps delivered:5 app_limited busy:152ms rcv_space:14480 rcv_ssthresh:64088 minrtt:38.215 snd_wnd:64512                                                                                                               
State Recv-Q Send-Q            Local Address:Port           Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      1901224 [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45606
	 skmem:(r0,rb131072,t0,tb2174976,f24,w1961960,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:38.537/0.167 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:89 ssthresh:66 bytes_sent:26611344 bytes_retrans:73848 bytes_acked:26408624 bytes_received:37 segs_out:18379 segs_in:12504 data_segs_out:18378 data_segs_in:1 send 26752887bps lastsnd:24 lastrcv:7520 lastack:24 pacing_rate 32103464bps delivery_rate 26214208bps delivered:18240 busy:7520ms unacked:89 retrans:0/51 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:1772352 minrtt:38 snd_wnd:19712000
ESTAB 0      0       [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45592
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:42.128/13.836 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:180 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 2749715bps lastsnd:7520 lastrcv:7596 lastack:7484 pacing_rate 5499392bps delivery_rate 303120bps delivered:5 app_limited busy:152ms rcv_space:14480 rcv_ssthresh:64088 minrtt:38.215 snd_wnd:64512                                                                                                              
State Recv-Q Send-Q            Local Address:Port           Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      1597144 [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45606
	 skmem:(r0,rb131072,t0,tb2174976,f3752,w1638744,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:38.477/0.305 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:50 ssthresh:47 bytes_sent:29207608 bytes_retrans:76744 bytes_acked:29058464 bytes_received:37 segs_out:20172 segs_in:13377 data_segs_out:20171 data_segs_in:1 send 15053149bps lastsnd:20 lastrcv:8516 lastack:20 pacing_rate 18063536bps delivery_rate 14818712bps delivered:20070 busy:8516ms unacked:50 retrans:0/53 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:1524744 minrtt:38 snd_wnd:19712000
ESTAB 0      0       [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45592
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:42.128/13.836 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:180 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 2749715bps lastsnd:8516 lastrcv:8592 lastack:8480 pacing_rate 5499392bps delivery_rate 303120bps delivered:5 app_limited busy:152ms rcv_space:14480 rcv_ssthresh:64088 minrtt:38.215 snd_wnd:64512                                                                                                                
State Recv-Q Send-Q            Local Address:Port           Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      1937424 [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45606
	 skmem:(r0,rb131072,t0,tb2174976,f944,w1981520,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:38.953/0.616 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:44 ssthresh:44 bytes_sent:31284040 bytes_retrans:78192 bytes_acked:31063944 bytes_received:37 segs_out:21606 segs_in:14089 data_segs_out:21605 data_segs_in:1 send 13084897bps lastsnd:20 lastrcv:9516 lastack:20 pacing_rate 32830456bps delivery_rate 17991240bps delivered:21509 busy:9516ms unacked:98 retrans:1/54 lost:1 sacked:54 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:1795520 minrtt:38 snd_wnd:19712000
ESTAB 0      0       [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45592
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:42.128/13.836 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:180 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 2749715bps lastsnd:9516 lastrcv:9592 lastack:9480 pacing_rate 5499392bps delivery_rate 303120bps delivered:5 app_limited busy:152ms rcv_space:14480 rcv_ssthresh:64088 minrtt:38.215 snd_wnd:64512                                                                                                                                
State Recv-Q Send-Q            Local Address:Port           Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      1524744 [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45606
	 skmem:(r0,rb131072,t0,tb2174976,f4024,w1568840,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:38.702/0.594 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:57 ssthresh:44 bytes_sent:33201192 bytes_retrans:78192 bytes_acked:33040464 bytes_received:37 segs_out:22930 segs_in:14741 data_segs_out:22929 data_segs_in:1 send 17060824bps lastsnd:24 lastrcv:10516 lastack:24 pacing_rate 20472784bps delivery_rate 16873552bps delivered:22820 busy:10516ms unacked:57 retrans:0/54 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:1442208 minrtt:38 snd_wnd:19712000
ESTAB 0      0       [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45592
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:42.128/13.836 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:180 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 2749715bps lastsnd:10516 lastrcv:10592 lastack:10480 pacing_rate 5499392bps delivery_rate 303120bps delivered:5 app_limited busy:152ms rcv_space:14480 rcv_ssthresh:64088 minrtt:38.215 snd_wnd:64512                                                                                                               
State Recv-Q Send-Q            Local Address:Port           Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      1581216 [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45606
	 skmem:(r0,rb131072,t0,tb2174976,f1760,w1616160,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:38.578/0.335 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:36 ssthresh:30 bytes_sent:34681048 bytes_retrans:81088 bytes_acked:34547832 bytes_received:37 segs_out:23952 segs_in:15237 data_segs_out:23951 data_segs_in:1 send 10809892bps lastsnd:24 lastrcv:11516 lastack:24 pacing_rate 12971616bps delivery_rate 10539936bps delivered:23861 busy:11516ms unacked:36 retrans:0/56 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:1529088 minrtt:38 snd_wnd:19712000
ESTAB 0      0       [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45592
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:42.128/13.836 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:180 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 2749715bps lastsnd:11516 lastrcv:11592 lastack:11480 pacing_rate 5499392bps delivery_rate 303120bps delivered:5 app_limited busy:152ms rcv_space:14480 rcv_ssthresh:64088 minrtt:38.215 snd_wnd:64512                                                                                                               
State Recv-Q Send-Q            Local Address:Port           Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      1715880 [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45606
	 skmem:(r0,rb131072,t0,tb2174976,f600,w1752488,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:39.171/0.331 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:36 ssthresh:31 bytes_sent:36113120 bytes_retrans:83984 bytes_acked:35977008 bytes_received:37 segs_out:24941 segs_in:15711 data_segs_out:24940 data_segs_in:1 send 10646243bps lastsnd:28 lastrcv:12520 lastack:28 pacing_rate 12775328bps delivery_rate 10546616bps delivered:24848 busy:12520ms unacked:36 retrans:0/58 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:1663752 minrtt:38 snd_wnd:19712000
ESTAB 0      0       [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45592
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:42.128/13.836 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:180 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 2749715bps lastsnd:12520 lastrcv:12596 lastack:12484 pacing_rate 5499392bps delivery_rate 303120bps delivered:5 app_limited busy:152ms rcv_space:14480 rcv_ssthresh:64088 minrtt:38.215 snd_wnd:64512                                                                                                              
State Recv-Q Send-Q            Local Address:Port           Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      1752080 [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45606
	 skmem:(r0,rb131072,t0,tb2174976,f3632,w1794512,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:38.412/0.007 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:48 ssthresh:31 bytes_sent:37658136 bytes_retrans:83984 bytes_acked:37504648 bytes_received:37 segs_out:26008 segs_in:16239 data_segs_out:26007 data_segs_in:1 send 14475476bps lastsnd:24 lastrcv:13516 lastack:24 pacing_rate 17370456bps delivery_rate 13840256bps delivered:25903 busy:13516ms unacked:48 retrans:0/58 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:1682576 minrtt:38 snd_wnd:19712000
ESTAB 0      0       [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45592
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:42.128/13.836 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:180 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 2749715bps lastsnd:13516 lastrcv:13592 lastack:13480 pacing_rate 5499392bps delivery_rate 303120bps delivered:5 app_limited busy:152ms rcv_space:14480 rcv_ssthresh:64088 minrtt:38.215 snd_wnd:64512                                                                                                               
State Recv-Q Send-Q            Local Address:Port           Peer Address:Port Process                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      2037336 [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45606
	 skmem:(r0,rb131072,t0,tb2174976,f3496,w2077272,o0,bl0,d0) cubic wscale:10,10 rto:240 rtt:38.373/0.019 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:33 ssthresh:28 bytes_sent:38917896 bytes_retrans:86880 bytes_acked:38783232 bytes_received:37 segs_out:26878 segs_in:16658 data_segs_out:26877 data_segs_in:1 send 9962005bps lastsnd:24 lastrcv:14516 lastack:24 pacing_rate 11954400bps delivery_rate 9657856bps delivered:26786 busy:14516ms unacked:33 retrans:0/60 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:1989552 minrtt:38 snd_wnd:19712000
ESTAB 0      0       [::ffff:10.227.158.228]:5201 [::ffff:10.74.114.229]:45592
	 skmem:(r0,rb131072,t0,tb65536,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:244 rtt:42.128/13.836 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:4 bytes_acked:4 bytes_received:180 segs_out:6 segs_in:9 data_segs_out:4 data_segs_in:3 send 2749715bps lastsnd:14516 lastrcv:14592 lastack:14480 pacing_rate 5499392bps delivery_rate 303120bps delivered:5 app_limited busy:152ms rcv_space:14480 rcv_ssthresh:64088 minrtt:38.215 snd_wnd:64512                                                                                                             
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
