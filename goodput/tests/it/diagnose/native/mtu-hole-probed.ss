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
net.ipv4.tcp_mtu_probing = 1
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
1795566322.949833974
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795566323.906276391
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                        
ESTAB 0      0      172.21.95.107:39678 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.106/1.458 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22687035bps lastsnd:640 lastrcv:624 lastack:624 pacing_rate 45367400bps delivery_rate 4566920bps delivered:4 app_limited busy:12ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.035 snd_wnd:65536
ESTAB 0      46336  172.21.95.107:39692 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f1088,w52160,o0,bl0,d0) cubic wscale:10,10 rto:416 backoff:1 rtt:5.113/1.938 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:17413 bytes_retrans:1448 bytes_acked:38 segs_out:15 segs_in:2 data_segs_out:13 send 2265597bps lastsnd:392 lastrcv:628 lastack:624 pacing_rate 45311944bps delivery_rate 2293856bps delivered:2 app_limited busy:628ms unacked:11 retrans:1/1 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:30408 minrtt:5.05 snd_wnd:65536
1795566324.911907661
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0      172.21.95.107:39678 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.106/1.458 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22687035bps lastsnd:1644 lastrcv:1628 lastack:1628 pacing_rate 45367400bps delivery_rate 4566920bps delivered:4 app_limited busy:12ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.035 snd_wnd:65536
ESTAB 0      46336  172.21.95.107:39692 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f1088,w52160,o0,bl0,d0) cubic wscale:10,10 rto:1664 backoff:3 rtt:5.113/1.938 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:20309 bytes_retrans:4344 bytes_acked:38 segs_out:17 segs_in:2 data_segs_out:15 send 2265597bps lastsnd:96 lastrcv:1632 lastack:1628 pacing_rate 45311944bps delivery_rate 2293856bps delivered:2 app_limited busy:1632ms unacked:11 retrans:1/3 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:30408 minrtt:5.05 snd_wnd:65536
1795566325.903136258
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0      172.21.95.107:39678 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.106/1.458 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22687035bps lastsnd:2632 lastrcv:2616 lastack:2616 pacing_rate 45367400bps delivery_rate 4566920bps delivered:4 app_limited busy:12ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.035 snd_wnd:65536
ESTAB 0      46336  172.21.95.107:39692 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f1088,w52160,o0,bl0,d0) cubic wscale:10,10 rto:1664 backoff:3 rtt:5.113/1.938 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:20309 bytes_retrans:4344 bytes_acked:38 segs_out:17 segs_in:2 data_segs_out:15 send 2265597bps lastsnd:1084 lastrcv:2620 lastack:2616 pacing_rate 45311944bps delivery_rate 2293856bps delivered:2 app_limited busy:2620ms unacked:11 retrans:1/3 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:30408 minrtt:5.05 snd_wnd:65536
1795566326.915258531
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0      172.21.95.107:39678 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.106/1.458 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22687035bps lastsnd:3644 lastrcv:3628 lastack:3628 pacing_rate 45367400bps delivery_rate 4566920bps delivered:4 app_limited busy:12ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.035 snd_wnd:65536
ESTAB 0      46336  172.21.95.107:39692 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f1088,w52160,o0,bl0,d0) cubic wscale:10,10 rto:3328 backoff:4 rtt:5.113/1.938 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21757 bytes_retrans:5792 bytes_acked:38 segs_out:18 segs_in:2 data_segs_out:16 send 2265597bps lastsnd:400 lastrcv:3632 lastack:3628 pacing_rate 45311944bps delivery_rate 2293856bps delivered:2 app_limited busy:3632ms unacked:11 retrans:1/4 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:30408 minrtt:5.05 snd_wnd:65536
1795566327.904295332
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0      172.21.95.107:39678 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.106/1.458 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22687035bps lastsnd:4624 lastrcv:4608 lastack:4608 pacing_rate 45367400bps delivery_rate 4566920bps delivered:4 app_limited busy:12ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.035 snd_wnd:65536
ESTAB 0      46336  172.21.95.107:39692 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f1088,w52160,o0,bl0,d0) cubic wscale:10,10 rto:3328 backoff:4 rtt:5.113/1.938 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21757 bytes_retrans:5792 bytes_acked:38 segs_out:18 segs_in:2 data_segs_out:16 send 2265597bps lastsnd:1380 lastrcv:4612 lastack:4608 pacing_rate 45311944bps delivery_rate 2293856bps delivered:2 app_limited busy:4612ms unacked:11 retrans:1/4 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:30408 minrtt:5.05 snd_wnd:65536
1795566328.903388009
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0      172.21.95.107:39678 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.106/1.458 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22687035bps lastsnd:5624 lastrcv:5608 lastack:5608 pacing_rate 45367400bps delivery_rate 4566920bps delivered:4 app_limited busy:12ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.035 snd_wnd:65536
ESTAB 0      46336  172.21.95.107:39692 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f1088,w52160,o0,bl0,d0) cubic wscale:10,10 rto:3328 backoff:4 rtt:5.113/1.938 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:1 ssthresh:7 bytes_sent:21757 bytes_retrans:5792 bytes_acked:38 segs_out:18 segs_in:2 data_segs_out:16 send 2265597bps lastsnd:2380 lastrcv:5612 lastack:5608 pacing_rate 45311944bps delivery_rate 2293856bps delivered:2 app_limited busy:5612ms unacked:11 retrans:1/4 lost:11 rcv_space:14480 rcv_ssthresh:64088 notsent:30408 minrtt:5.05 snd_wnd:65536
1795566329.908990789
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0      172.21.95.107:39678 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.106/1.458 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22687035bps lastsnd:6660 lastrcv:6644 lastack:6644 pacing_rate 45367400bps delivery_rate 4566920bps delivered:4 app_limited busy:12ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.035 snd_wnd:65536
ESTAB 0      39944  172.21.95.107:39692 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f888,w48264,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.324/0.589 mss:1024 pmtu:1500 rcvmss:536 advmss:1448 cwnd:7 ssthresh:7 bytes_sent:36589 bytes_retrans:18576 bytes_acked:6430 segs_out:34 segs_in:11 data_segs_out:32 send 10770849bps lastsnd:4 lastrcv:6648 lastack:4 pacing_rate 22155088bps delivery_rate 5961064bps delivered:11 busy:6648ms unacked:12 retrans:7/18 lost:10 sacked:2 rcv_space:14480 rcv_ssthresh:64088 notsent:28360 minrtt:5 snd_wnd:60416
1795566330.903748623
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0      172.21.95.107:39678 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.106/1.458 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22687035bps lastsnd:7628 lastrcv:7612 lastack:7612 pacing_rate 45367400bps delivery_rate 4566920bps delivered:4 app_limited busy:12ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.035 snd_wnd:65536
ESTAB 0      248160 172.21.95.107:39692 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb225792,f4000,w258144,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:8.42/0.323 mss:1320 pmtu:1500 rcvmss:536 advmss:1448 cwnd:34 ssthresh:33 bytes_sent:4669388 bytes_retrans:32309 bytes_acked:4594840 segs_out:3571 segs_in:1963 data_segs_out:3569 send 42641330bps lastsnd:4 lastrcv:7616 lastack:4 pacing_rate 51169592bps delivery_rate 41426096bps delivered:3515 busy:7616ms unacked:32 retrans:0/33 rcv_space:14480 rcv_ssthresh:64088 notsent:205920 minrtt:5 snd_wnd:564224
1795566331.903710450
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0      172.21.95.107:39678 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.106/1.458 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22687035bps lastsnd:8628 lastrcv:8612 lastack:8612 pacing_rate 45367400bps delivery_rate 4566920bps delivered:4 app_limited busy:12ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.035 snd_wnd:65536
ESTAB 0      248160 172.21.95.107:39692 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb225792,f4000,w258144,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:8.632/0.238 mss:1320 pmtu:1500 rcvmss:536 advmss:1448 cwnd:36 ssthresh:33 bytes_sent:9853028 bytes_retrans:37589 bytes_acked:9771880 segs_out:7498 segs_in:3993 data_segs_out:7496 send 44040778bps lastrcv:8616 pacing_rate 52843576bps delivery_rate 41162712bps delivered:7437 busy:8616ms unacked:33 retrans:0/37 rcv_space:14480 rcv_ssthresh:64088 notsent:204600 minrtt:5 snd_wnd:564224
1795566332.917045445
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                           
ESTAB 0      0      172.21.95.107:39678 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.106/1.458 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22687035bps lastsnd:9656 lastrcv:9640 lastack:9640 pacing_rate 45367400bps delivery_rate 4566920bps delivered:4 app_limited busy:12ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.035 snd_wnd:65536
ESTAB 0      232320 172.21.95.107:39692 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb225792,f1792,w243968,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:9.931/0.282 mss:1320 pmtu:1500 rcvmss:536 advmss:1448 cwnd:41 ssthresh:32 bytes_sent:15189788 bytes_retrans:44189 bytes_acked:15091480 segs_out:11541 segs_in:6078 data_segs_out:11539 send 43596818bps lastrcv:9644 pacing_rate 52314864bps delivery_rate 41382632bps delivered:11467 busy:9644ms unacked:41 retrans:0/42 rcv_space:14480 rcv_ssthresh:64088 notsent:178200 minrtt:5 snd_wnd:564224
1795566333.904722131
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                              
ESTAB 0      0      172.21.95.107:39678 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.106/1.458 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22687035bps lastsnd:10628 lastrcv:10612 lastack:10612 pacing_rate 45367400bps delivery_rate 4566920bps delivered:4 app_limited busy:12ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.035 snd_wnd:65536
ESTAB 0      248160 172.21.95.107:39692 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb225792,f3168,w258976,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:9.968/0.278 mss:1320 pmtu:1500 rcvmss:536 advmss:1448 cwnd:42 ssthresh:33 bytes_sent:20226908 bytes_retrans:50789 bytes_acked:20120680 segs_out:15357 segs_in:8048 data_segs_out:15355 send 44494382bps lastrcv:10616 pacing_rate 53391912bps delivery_rate 41169584bps delivered:15277 busy:10616ms unacked:42 retrans:0/47 rcv_space:14480 rcv_ssthresh:64088 notsent:192720 minrtt:5 snd_wnd:564224
1795566334.903686394
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                              
ESTAB 0      0      172.21.95.107:39678 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.106/1.458 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22687035bps lastsnd:11684 lastrcv:11668 lastack:11668 pacing_rate 45367400bps delivery_rate 4566920bps delivered:4 app_limited busy:12ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.035 snd_wnd:65536
ESTAB 0      219120 172.21.95.107:39692 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb225792,f1104,w228272,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:7.719/0.149 mss:1320 pmtu:1500 rcvmss:536 advmss:1448 cwnd:33 ssthresh:27 bytes_sent:25554428 bytes_retrans:61349 bytes_acked:25453480 segs_out:19393 segs_in:10120 data_segs_out:19391 send 45145744bps lastrcv:11672 pacing_rate 54174888bps delivery_rate 38938048bps delivered:19317 busy:11672ms unacked:30 retrans:0/55 rcv_space:14480 rcv_ssthresh:64088 notsent:179520 minrtt:5 snd_wnd:564224
1795566335.903611140
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                              
ESTAB 0      0      172.21.95.107:39678 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.106/1.458 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22687035bps lastsnd:12632 lastrcv:12616 lastack:12616 pacing_rate 45367400bps delivery_rate 4566920bps delivered:4 app_limited busy:12ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.035 snd_wnd:65536
ESTAB 0      237600 172.21.95.107:39692 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb225792,f1440,w248416,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:8.469/0.111 mss:1320 pmtu:1500 rcvmss:536 advmss:1448 cwnd:34 ssthresh:33 bytes_sent:30464828 bytes_retrans:69269 bytes_acked:30350680 segs_out:23113 segs_in:12046 data_segs_out:23111 send 42394616bps lastrcv:12620 pacing_rate 50872784bps delivery_rate 40421048bps delivered:23027 busy:12620ms unacked:34 retrans:0/61 rcv_space:14480 rcv_ssthresh:64088 notsent:192720 minrtt:5 snd_wnd:564224
1795566336.957186844
State Recv-Q Send-Q Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                              
ESTAB 0      0      172.21.95.107:39678 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:208 rtt:5.106/1.458 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 22687035bps lastsnd:13732 lastrcv:13716 lastack:13716 pacing_rate 45367400bps delivery_rate 4566920bps delivered:4 app_limited busy:12ms rcv_space:14480 rcv_ssthresh:64088 minrtt:5.035 snd_wnd:65536
ESTAB 0      236280 172.21.95.107:39692 172.29.182.108:5201
	 skmem:(r0,rb131072,t0,tb225792,f2760,w247096,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:10.454/0.255 mss:1320 pmtu:1500 rcvmss:536 advmss:1448 cwnd:42 ssthresh:30 bytes_sent:36068228 bytes_retrans:81149 bytes_acked:35934280 segs_out:27358 segs_in:14166 data_segs_out:27356 send 42425866bps lastsnd:4 lastrcv:13720 lastack:4 pacing_rate 50907992bps delivery_rate 41731272bps delivered:27257 busy:13720ms unacked:40 retrans:0/70 rcv_space:14480 rcv_ssthresh:64088 notsent:183480 minrtt:5 snd_wnd:564224
1795566337.927438673
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
