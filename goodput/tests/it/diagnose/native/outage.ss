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
1795565998.215361235
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795565999.242119292
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                       
ESTAB 0      0       10.139.78.184:38644 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.253/8.811 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3706524bps lastsnd:668 lastrcv:576 lastack:576 pacing_rate 7412864bps delivery_rate 740208bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.207 snd_wnd:65536
ESTAB 0      1527640 10.139.78.184:38646 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb1944576,f3368,w1585880,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:54.296/0.32 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:423 ssthresh:279 bytes_sent:5173741 bytes_acked:4561238 segs_out:3576 segs_in:2015 data_segs_out:3574 send 90246648bps lastrcv:608 pacing_rate 108295472bps delivery_rate 84933512bps delivered:3152 busy:604ms unacked:423 rcv_space:14480 rcv_ssthresh:64088 notsent:915136 minrtt:31.118 snd_wnd:2080768
1795566000.307377206
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       10.139.78.184:38644 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.253/8.811 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3706524bps lastsnd:1756 lastrcv:1664 lastack:1664 pacing_rate 7412864bps delivery_rate 740208bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.207 snd_wnd:65536
ESTAB 0      1578320 10.139.78.184:38646 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb2211840,f240,w1634064,o0,bl0,d0) cubic wscale:10,10 rto:252 rtt:50.985/0.247 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:380 ssthresh:336 bytes_sent:16691133 bytes_retrans:34752 bytes_acked:16109038 segs_out:11530 segs_in:6069 data_segs_out:11528 send 86337550bps lastrcv:1696 pacing_rate 103603784bps delivery_rate 84042160bps delivered:11127 busy:1692ms unacked:378 retrans:0/24 rcv_space:14480 rcv_ssthresh:64088 notsent:1030976 minrtt:31.118 snd_wnd:3493888
1795566001.254745782
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       10.139.78.184:38644 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.253/8.811 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3706524bps lastsnd:2724 lastrcv:2632 lastack:2632 pacing_rate 7412864bps delivery_rate 740208bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.207 snd_wnd:65536
ESTAB 0      1492888 10.139.78.184:38646 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb2211840,f1256,w1551128,o0,bl0,d0) cubic wscale:10,10 rto:260 rtt:56.274/0.251 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:418 ssthresh:336 bytes_sent:26999445 bytes_retrans:34752 bytes_acked:26359430 segs_out:18649 segs_in:9588 data_segs_out:18647 send 86045278bps lastsnd:4 lastrcv:2664 lastack:4 pacing_rate 103253640bps delivery_rate 84992928bps delivered:18206 busy:2660ms unacked:418 retrans:0/24 rcv_space:14480 rcv_ssthresh:64088 notsent:887624 minrtt:31.118 snd_wnd:3493888
1795566002.230953820
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       10.139.78.184:38644 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.253/8.811 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3706524bps lastsnd:3612 lastrcv:3520 lastack:3520 pacing_rate 7412864bps delivery_rate 740208bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.207 snd_wnd:65536
ESTAB 0      1421936 10.139.78.184:38646 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb2211840,f2512,w1484336,o0,bl0,d0) cubic wscale:10,10 rto:264 rtt:60.238/0.276 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:445 ssthresh:336 bytes_sent:36489637 bytes_retrans:34752 bytes_acked:35813422 segs_out:25203 segs_in:12876 data_segs_out:25201 send 85575218bps lastrcv:3552 pacing_rate 102689408bps delivery_rate 84965400bps delivered:24735 busy:3548ms unacked:443 retrans:0/24 rcv_space:14480 rcv_ssthresh:64088 notsent:780472 minrtt:31.118 snd_wnd:3493888
1795566003.229250708
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       10.139.78.184:38644 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.253/8.811 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3706524bps lastsnd:4636 lastrcv:4544 lastack:4544 pacing_rate 7412864bps delivery_rate 740208bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.207 snd_wnd:65536
ESTAB 0      1673888 10.139.78.184:38646 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb2211840,f352,w1740448,o0,bl0,d0) cubic wscale:10,10 rto:528 backoff:1 rtt:61.081/0.241 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:317 bytes_sent:40163213 bytes_retrans:36200 bytes_acked:39471070 segs_out:27740 segs_in:14146 data_segs_out:27738 send 189650bps lastsnd:256 lastrcv:4576 lastack:680 pacing_rate 103092576bps delivery_rate 84930288bps delivered:27261 busy:4572ms unacked:453 retrans:1/25 lost:453 rcv_space:14480 rcv_ssthresh:64088 notsent:1017944 minrtt:31.118 snd_wnd:3493888
1795566004.217538743
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       10.139.78.184:38644 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.253/8.811 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3706524bps lastsnd:5608 lastrcv:5516 lastack:5516 pacing_rate 7412864bps delivery_rate 740208bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.207 snd_wnd:65536
ESTAB 0      1673888 10.139.78.184:38646 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb2211840,f352,w1740448,o0,bl0,d0) cubic wscale:10,10 rto:1056 backoff:2 rtt:61.081/0.241 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:317 bytes_sent:40164661 bytes_retrans:37648 bytes_acked:39471070 segs_out:27741 segs_in:14146 data_segs_out:27739 send 189650bps lastsnd:684 lastrcv:5548 lastack:1652 pacing_rate 103092576bps delivery_rate 84930288bps delivered:27261 busy:5544ms unacked:453 retrans:1/26 lost:453 rcv_space:14480 rcv_ssthresh:64088 notsent:1017944 minrtt:31.118 snd_wnd:3493888
1795566005.230120843
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       10.139.78.184:38644 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.253/8.811 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3706524bps lastsnd:6628 lastrcv:6536 lastack:6536 pacing_rate 7412864bps delivery_rate 740208bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.207 snd_wnd:65536
ESTAB 0      1673888 10.139.78.184:38646 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb2211840,f352,w1740448,o0,bl0,d0) cubic wscale:10,10 rto:2112 backoff:3 rtt:61.081/0.241 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:317 bytes_sent:40166109 bytes_retrans:39096 bytes_acked:39471070 segs_out:27742 segs_in:14146 data_segs_out:27740 send 189650bps lastsnd:616 lastrcv:6568 lastack:2672 pacing_rate 103092576bps delivery_rate 84930288bps delivered:27261 busy:6564ms unacked:453 retrans:1/27 lost:453 rcv_space:14480 rcv_ssthresh:64088 notsent:1017944 minrtt:31.118 snd_wnd:3493888
1795566006.224715085
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       10.139.78.184:38644 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.253/8.811 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3706524bps lastsnd:7616 lastrcv:7524 lastack:7524 pacing_rate 7412864bps delivery_rate 740208bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.207 snd_wnd:65536
ESTAB 0      1673888 10.139.78.184:38646 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb2211840,f352,w1740448,o0,bl0,d0) cubic wscale:10,10 rto:2112 backoff:3 rtt:61.081/0.241 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:317 bytes_sent:40166109 bytes_retrans:39096 bytes_acked:39471070 segs_out:27742 segs_in:14146 data_segs_out:27740 send 189650bps lastsnd:1604 lastrcv:7556 lastack:3660 pacing_rate 103092576bps delivery_rate 84930288bps delivered:27261 busy:7552ms unacked:453 retrans:1/27 lost:453 rcv_space:14480 rcv_ssthresh:64088 notsent:1017944 minrtt:31.118 snd_wnd:3493888
1795566007.226373250
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       10.139.78.184:38644 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.253/8.811 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3706524bps lastsnd:8624 lastrcv:8532 lastack:8532 pacing_rate 7412864bps delivery_rate 740208bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.207 snd_wnd:65536
ESTAB 0      1630448 10.139.78.184:38646 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb2211840,f3856,w1683696,o0,bl0,d0) cubic wscale:10,10 rto:948 rtt:46.703/0.253 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:348 ssthresh:333 bytes_sent:44439157 bytes_retrans:390960 bytes_acked:43554430 segs_out:30693 segs_in:15373 data_segs_out:30691 send 86316339bps lastrcv:8564 pacing_rate 103578216bps delivery_rate 84724224bps delivered:30082 busy:8560ms unacked:341 retrans:0/270 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:1136680 minrtt:31 snd_wnd:3494912
1795566008.226870519
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0       10.139.78.184:38644 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.253/8.811 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3706524bps lastsnd:9612 lastrcv:9520 lastack:9520 pacing_rate 7412864bps delivery_rate 740208bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.207 snd_wnd:65536
ESTAB 0      2095256 10.139.78.184:38646 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb2211840,f3368,w2159320,o0,bl0,d0) cubic wscale:10,10 rto:256 rtt:53.08/0.23 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:395 ssthresh:333 bytes_sent:54993629 bytes_retrans:390960 bytes_acked:54036502 segs_out:37982 segs_in:18989 data_segs_out:37980 send 86203466bps lastrcv:9552 pacing_rate 103443912bps delivery_rate 84851712bps delivered:37321 busy:9548ms unacked:391 retrans:0/270 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:1529088 minrtt:31 snd_wnd:3494912
1795566009.305568421
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0       10.139.78.184:38644 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.253/8.811 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3706524bps lastsnd:10840 lastrcv:10748 lastack:10748 pacing_rate 7412864bps delivery_rate 740208bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.207 snd_wnd:65536
ESTAB 0      1560944 10.139.78.184:38646 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb2211840,f2768,w1623344,o0,bl0,d0) cubic wscale:10,10 rto:260 rtt:58.921/0.246 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:437 ssthresh:333 bytes_sent:68102373 bytes_retrans:390960 bytes_acked:67081534 segs_out:47035 segs_in:23464 data_segs_out:47033 send 85915175bps lastrcv:10780 pacing_rate 103097112bps delivery_rate 84393544bps delivered:46330 busy:10776ms unacked:435 retrans:0/270 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:931064 minrtt:31 snd_wnd:3494912
1795566010.338467664
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0       10.139.78.184:38644 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.253/8.811 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3706524bps lastsnd:11844 lastrcv:11752 lastack:11752 pacing_rate 7412864bps delivery_rate 740208bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.207 snd_wnd:65536
ESTAB 0      1933080 10.139.78.184:38646 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb2211840,f2472,w2000472,o0,bl0,d0) cubic wscale:10,10 rto:264 rtt:62.175/0.497 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:440 ssthresh:319 bytes_sent:78768341 bytes_retrans:392408 bytes_acked:77656278 segs_out:54401 segs_in:27094 data_segs_out:54399 send 81977644bps lastrcv:11784 pacing_rate 109551936bps delivery_rate 84404144bps delivered:53690 busy:11780ms unacked:497 retrans:1/271 lost:1 sacked:57 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:1213424 minrtt:31 snd_wnd:3494912
1795566011.248353752
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0       10.139.78.184:38644 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.253/8.811 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3706524bps lastsnd:12668 lastrcv:12576 lastack:12576 pacing_rate 7412864bps delivery_rate 740208bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.207 snd_wnd:65536
ESTAB 0      1830272 10.139.78.184:38646 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb2211840,f2240,w1886016,o0,bl0,d0) cubic wscale:10,10 rto:248 rtt:46.182/0.236 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:344 ssthresh:319 bytes_sent:87381045 bytes_retrans:392408 bytes_acked:86490526 segs_out:60349 segs_in:29958 data_segs_out:60347 send 86286778bps lastrcv:12608 pacing_rate 103542448bps delivery_rate 84956640bps delivered:59734 busy:12604ms unacked:344 retrans:0/271 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:1332160 minrtt:31 snd_wnd:3494912
1795566012.237386392
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0       10.139.78.184:38644 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.253/8.811 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3706524bps lastsnd:13644 lastrcv:13552 lastack:13552 pacing_rate 7412864bps delivery_rate 740208bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.207 snd_wnd:65536
ESTAB 0      1614520 10.139.78.184:38646 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb2211840,f1736,w1669432,o0,bl0,d0) cubic wscale:10,10 rto:252 rtt:49.331/0.268 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:366 ssthresh:319 bytes_sent:97793613 bytes_retrans:392408 bytes_acked:96871238 segs_out:67540 segs_in:33568 data_segs_out:67538 send 85944822bps lastrcv:13584 pacing_rate 103132216bps delivery_rate 84915584bps delivered:66903 busy:13580ms unacked:366 retrans:0/271 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:1084552 minrtt:31 snd_wnd:3494912
1795566013.218743666
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0       10.139.78.184:38644 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.253/8.811 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3706524bps lastsnd:14628 lastrcv:14536 lastack:14536 pacing_rate 7412864bps delivery_rate 740208bps delivered:4 app_limited busy:64ms rcv_space:14480 rcv_ssthresh:64088 minrtt:31.207 snd_wnd:65536
ESTAB 0      2106840 10.139.78.184:38646 10.154.127.185:5201
	 skmem:(r0,rb131072,t0,tb2211840,f1640,w2169240,o0,bl0,d0) cubic wscale:10,10 rto:252 rtt:51.146/0.227 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:380 ssthresh:319 bytes_sent:108262653 bytes_retrans:392408 bytes_acked:107325798 segs_out:74770 segs_in:37198 data_segs_out:74768 send 86065772bps lastrcv:14568 pacing_rate 103277160bps delivery_rate 83792664bps delivered:74123 busy:14564ms unacked:376 retrans:0/271 dsack_dups:1 rcv_space:14480 rcv_ssthresh:64088 notsent:1562392 minrtt:31 snd_wnd:3494912
1795566014.222361270
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
