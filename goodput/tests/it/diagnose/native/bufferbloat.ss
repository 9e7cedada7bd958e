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
1795565864.688925201
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795565865.703269655
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                       
ESTAB 0      0      192.168.17.116:33808 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:236 rtt:32.311/9.169 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3585157bps lastsnd:588 lastrcv:488 lastack:488 pacing_rate 7170224bps delivery_rate 713472bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:32.254 snd_wnd:65536
ESTAB 0      295392 192.168.17.116:33818 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb488448,f416,w343648,o0,bl0,d0) cubic wscale:10,10 rto:252 rtt:50.373/0.377 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:106 ssthresh:74 bytes_sent:1181605 bytes_acked:1028118 segs_out:819 segs_in:431 data_segs_out:817 send 24376233bps lastrcv:524 pacing_rate 29251328bps delivery_rate 23179472bps delivered:712 busy:524ms unacked:106 rcv_space:14480 rcv_ssthresh:64088 notsent:141904 minrtt:32.158 snd_wnd:577536     
1795565866.697029042
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      192.168.17.116:33808 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:236 rtt:32.311/9.169 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3585157bps lastsnd:1572 lastrcv:1472 lastack:1472 pacing_rate 7170224bps delivery_rate 713472bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:32.254 snd_wnd:65536
ESTAB 0      835496 192.168.17.116:33818 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb940032,f1112,w928680,o0,bl0,d0) cubic wscale:10,10 rto:300 rtt:96.431/0.113 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:204 ssthresh:74 bytes_sent:4171725 bytes_acked:3876334 segs_out:2884 segs_in:1427 data_segs_out:2882 send 24505978bps lastrcv:1508 pacing_rate 29406904bps delivery_rate 23199248bps delivered:2679 busy:1508ms unacked:204 rcv_space:14480 rcv_ssthresh:64088 notsent:540104 minrtt:32.158 snd_wnd:602112 
1795565867.989388189
State Recv-Q Send-Q   Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       192.168.17.116:33808 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:236 rtt:32.311/9.169 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3585157bps lastsnd:2872 lastrcv:2772 lastack:2772 pacing_rate 7170224bps delivery_rate 713472bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:32.254 snd_wnd:65536
ESTAB 0      1044008 192.168.17.116:33818 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb1539072,f3928,w1192104,o0,bl0,d0) cubic wscale:10,10 rto:360 rtt:158.57/0.365 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:334 ssthresh:74 bytes_sent:8126213 bytes_acked:7642582 segs_out:5615 segs_in:2810 data_segs_out:5613 send 24399672bps lastrcv:2808 pacing_rate 29279600bps delivery_rate 23167120bps delivered:5280 busy:2808ms unacked:334 rcv_space:14480 rcv_ssthresh:64088 notsent:560376 minrtt:32.158 snd_wnd:993280
1795565868.762744207
State Recv-Q Send-Q   Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       192.168.17.116:33808 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:236 rtt:32.311/9.169 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3585157bps lastsnd:3696 lastrcv:3596 lastack:3596 pacing_rate 7170224bps delivery_rate 713472bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:32.254 snd_wnd:65536
ESTAB 0      1653616 192.168.17.116:33818 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb1921536,f3984,w1843312,o0,bl0,d0) cubic wscale:10,10 rto:400 rtt:197.938/0.705 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:417 ssthresh:74 bytes_sent:10634149 bytes_acked:10030334 segs_out:7347 segs_in:3686 data_segs_out:7345 send 24404248bps lastrcv:3632 pacing_rate 29285040bps delivery_rate 23155048bps delivered:6929 busy:3632ms unacked:417 rcv_space:14480 rcv_ssthresh:64088 notsent:1049800 minrtt:32.158 snd_wnd:1217536
1795565869.769089493
State Recv-Q Send-Q   Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       192.168.17.116:33808 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:236 rtt:32.311/9.169 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3585157bps lastsnd:4736 lastrcv:4636 lastack:4636 pacing_rate 7170224bps delivery_rate 713472bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:32.254 snd_wnd:65536
ESTAB 0      1834616 192.168.17.116:33818 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb2096640,f1992,w1996856,o0,bl0,d0) cubic wscale:10,10 rto:364 rtt:160.211/0.187 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:328 ssthresh:318 bytes_sent:13550421 bytes_retrans:33304 bytes_acked:13042174 segs_out:9361 segs_in:4911 data_segs_out:9359 send 23715925bps lastrcv:4672 pacing_rate 28459040bps delivery_rate 23192928bps delivered:9009 busy:4672ms unacked:328 retrans:0/23 rcv_space:14480 rcv_ssthresh:64088 notsent:1359672 minrtt:32.158 snd_wnd:2627584
1795565870.800043274
State Recv-Q Send-Q   Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       192.168.17.116:33808 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:236 rtt:32.311/9.169 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3585157bps lastsnd:5740 lastrcv:5640 lastack:5640 pacing_rate 7170224bps delivery_rate 713472bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:32.254 snd_wnd:65536
ESTAB 0      1792624 192.168.17.116:33818 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb2096640,f2832,w1967344,o0,bl0,d0) cubic wscale:10,10 rto:384 rtt:183.166/0.158 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:375 ssthresh:318 bytes_sent:16527509 bytes_retrans:33304 bytes_acked:15951206 segs_out:11417 segs_in:6057 data_segs_out:11415 send 23716192bps lastrcv:5676 pacing_rate 28459368bps delivery_rate 23156480bps delivered:11018 busy:5676ms unacked:375 retrans:0/23 rcv_space:14480 rcv_ssthresh:64088 notsent:1249624 minrtt:32.158 snd_wnd:3343360
1795565871.725259877
State Recv-Q Send-Q   Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       192.168.17.116:33808 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:236 rtt:32.311/9.169 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3585157bps lastsnd:6696 lastrcv:6596 lastack:6596 pacing_rate 7170224bps delivery_rate 713472bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:32.254 snd_wnd:65536
ESTAB 0      1892536 192.168.17.116:33818 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb2096640,f968,w2083896,o0,bl0,d0) cubic wscale:10,10 rto:404 rtt:200.09/0.193 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:408 ssthresh:318 bytes_sent:19342421 bytes_retrans:33304 bytes_acked:18718334 segs_out:13361 segs_in:7026 data_segs_out:13359 send 23620731bps lastrcv:6632 pacing_rate 28344800bps delivery_rate 23184992bps delivered:12929 busy:6632ms unacked:408 retrans:0/23 rcv_space:14480 rcv_ssthresh:64088 notsent:1301752 minrtt:32.158 snd_wnd:3343360
1795565872.841727189
State Recv-Q Send-Q   Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       192.168.17.116:33808 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:236 rtt:32.311/9.169 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3585157bps lastsnd:7848 lastrcv:7748 lastack:7748 pacing_rate 7170224bps delivery_rate 713472bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:32.254 snd_wnd:65536
ESTAB 0      1424832 192.168.17.116:33818 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb2096640,f832,w1621184,o0,bl0,d0) cubic wscale:10,10 rto:416 rtt:214.572/0.085 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:434 ssthresh:318 bytes_sent:22714813 bytes_retrans:33304 bytes_acked:22053078 segs_out:15690 segs_in:8209 data_segs_out:15688 send 23430159bps lastrcv:7784 pacing_rate 28116184bps delivery_rate 23166048bps delivered:15232 busy:7784ms unacked:434 retrans:0/23 rcv_space:14480 rcv_ssthresh:64088 notsent:796400 minrtt:32.158 snd_wnd:3343360
1795565873.821302256
State Recv-Q Send-Q   Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       192.168.17.116:33808 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:236 rtt:32.311/9.169 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3585157bps lastsnd:8892 lastrcv:8792 lastack:8792 pacing_rate 7170224bps delivery_rate 713472bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:32.254 snd_wnd:65536
ESTAB 0      1336504 192.168.17.116:33818 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb2096640,f584,w1486264,o0,bl0,d0) cubic wscale:10,10 rto:360 rtt:157.501/0.101 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:320 ssthresh:305 bytes_sent:25577509 bytes_retrans:40544 bytes_acked:25073606 segs_out:17667 segs_in:9241 data_segs_out:17665 send 23535597bps lastrcv:8828 pacing_rate 28242576bps delivery_rate 23176680bps delivered:17318 busy:8828ms unacked:320 retrans:0/28 rcv_space:14480 rcv_ssthresh:64088 notsent:873144 minrtt:32.158 snd_wnd:3344384
1795565874.780470938
State Recv-Q Send-Q   Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       192.168.17.116:33808 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:236 rtt:32.311/9.169 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3585157bps lastsnd:9684 lastrcv:9584 lastack:9584 pacing_rate 7170224bps delivery_rate 713472bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:32.254 snd_wnd:65536
ESTAB 0      1905568 192.168.17.116:33818 192.168.12.117:5201
	 skmem:(r0,rb131072,t0,tb2096640,f3104,w2069472,o0,bl0,d0) cubic wscale:10,10 rto:372 rtt:168.024/0.158 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:340 ssthresh:305 bytes_sent:27904445 bytes_retrans:40544 bytes_acked:27371582 segs_out:19274 segs_in:10060 data_segs_out:19272 send 23440461bps lastrcv:9620 pacing_rate 28128528bps delivery_rate 23132744bps delivered:18905 busy:9620ms unacked:340 retrans:0/28 rcv_space:14480 rcv_ssthresh:64088 notsent:1413248 minrtt:32.158 snd_wnd:3344384
1795565875.743762935
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
