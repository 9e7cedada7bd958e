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
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                         
ESTAB 0      0      172.24.232.244:54210 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:224 rtt:22.296/6.356 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5195551bps lastsnd:512 lastrcv:444 lastack:444 pacing_rate 10390688bps delivery_rate 1024360bps delivered:4 app_limited busy:48ms rcv_space:14480 rcv_ssthresh:64088 minrtt:22.224 snd_wnd:65536
ESTAB 0      550240 172.24.232.244:54218 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb608256,f1568,w571872,o0,bl0,d0) reno wscale:10,10 rto:228 rtt:25.08/0.705 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:34 ssthresh:33 bytes_sent:920965 bytes_retrans:101360 bytes_acked:770374 segs_out:639 segs_in:412 data_segs_out:637 send 15703987bps lastrcv:468 pacing_rate 18844688bps delivery_rate 15511136bps delivered:534 busy:468ms unacked:34 retrans:0/70 rcv_space:14480 rcv_ssthresh:64088 notsent:501008 minrtt:22.207 snd_wnd:751616
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.24.232.244:54210 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:224 rtt:22.296/6.356 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5195551bps lastsnd:1528 lastrcv:1460 lastack:1460 pacing_rate 10390688bps delivery_rate 1024360bps delivered:4 app_limited busy:48ms rcv_space:14480 rcv_ssthresh:64088 minrtt:22.224 snd_wnd:65536
ESTAB 0      415576 172.24.232.244:54218 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb608256,f3368,w447192,o0,bl0,d0) reno wscale:10,10 rto:248 rtt:45.85/0.187 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:62 ssthresh:33 bytes_sent:2920653 bytes_retrans:101360 bytes_acked:2729518 segs_out:2020 segs_in:1134 data_segs_out:2018 send 15664297bps lastrcv:1484 pacing_rate 18797104bps delivery_rate 15483912bps delivered:1887 busy:1484ms unacked:62 retrans:0/70 rcv_space:14480 rcv_ssthresh:64088 notsent:325800 minrtt:22.207 snd_wnd:751616
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.24.232.244:54210 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:224 rtt:22.296/6.356 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5195551bps lastsnd:2528 lastrcv:2460 lastack:2460 pacing_rate 10390688bps delivery_rate 1024360bps delivered:4 app_limited busy:48ms rcv_space:14480 rcv_ssthresh:64088 minrtt:22.224 snd_wnd:65536
ESTAB 0      573408 172.24.232.244:54218 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb608256,f1184,w605024,o0,bl0,d0) reno wscale:10,10 rto:240 rtt:39.859/0.242 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:54 ssthresh:33 bytes_sent:4839253 bytes_retrans:104256 bytes_acked:4656806 segs_out:3345 segs_in:1844 data_segs_out:3343 send 15693720bps lastsnd:4 lastrcv:2484 lastack:4 pacing_rate 18832464bps delivery_rate 15467120bps delivered:3218 busy:2484ms unacked:54 retrans:0/72 rcv_space:14480 rcv_ssthresh:64088 notsent:495216 minrtt:22.207 snd_wnd:751616
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.24.232.244:54210 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:224 rtt:22.296/6.356 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5195551bps lastsnd:3528 lastrcv:3460 lastack:3460 pacing_rate 10390688bps delivery_rate 1024360bps delivered:4 app_limited busy:48ms rcv_space:14480 rcv_ssthresh:64088 minrtt:22.224 snd_wnd:65536
ESTAB 0      466256 172.24.232.244:54218 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb608256,f304,w491216,o0,bl0,d0) reno wscale:10,10 rto:236 rtt:32.999/0.038 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:45 ssthresh:33 bytes_sent:6760749 bytes_retrans:107152 bytes_acked:6588438 segs_out:4672 segs_in:2556 data_segs_out:4670 send 15796842bps lastrcv:3484 pacing_rate 18955992bps delivery_rate 15446736bps delivered:4552 busy:3484ms unacked:45 retrans:0/74 rcv_space:14480 rcv_ssthresh:64088 notsent:401096 minrtt:22.207 snd_wnd:751616
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.24.232.244:54210 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:224 rtt:22.296/6.356 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5195551bps lastsnd:4520 lastrcv:4452 lastack:4452 pacing_rate 10390688bps delivery_rate 1024360bps delivered:4 app_limited busy:48ms rcv_space:14480 rcv_ssthresh:64088 minrtt:22.224 snd_wnd:65536
ESTAB 0      632776 172.24.232.244:54218 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb608256,f120,w655240,o0,bl0,d0) reno wscale:10,10 rto:228 rtt:25.194/0.67 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:34 ssthresh:33 bytes_sent:8666317 bytes_retrans:110048 bytes_acked:8507038 segs_out:5988 segs_in:3256 data_segs_out:5986 send 15632928bps lastrcv:4476 pacing_rate 18759048bps delivery_rate 15396808bps delivered:5877 busy:4476ms unacked:34 retrans:0/76 rcv_space:14480 rcv_ssthresh:64088 notsent:583544 minrtt:22.207 snd_wnd:751616
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.24.232.244:54210 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:224 rtt:22.296/6.356 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5195551bps lastsnd:5520 lastrcv:5452 lastack:5452 pacing_rate 10390688bps delivery_rate 1024360bps delivered:4 app_limited busy:48ms rcv_space:14480 rcv_ssthresh:64088 minrtt:22.224 snd_wnd:65536
ESTAB 0      528520 172.24.232.244:54218 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb608256,f3448,w561800,o0,bl0,d0) reno wscale:10,10 rto:248 rtt:45.776/0.419 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:62 ssthresh:33 bytes_sent:10635597 bytes_retrans:110048 bytes_acked:10435774 segs_out:7348 segs_in:3968 data_segs_out:7346 send 15689619bps lastrcv:5476 pacing_rate 18827232bps delivery_rate 15412984bps delivered:7209 busy:5476ms unacked:62 retrans:0/76 rcv_space:14480 rcv_ssthresh:64088 notsent:438744 minrtt:22.207 snd_wnd:751616
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.24.232.244:54210 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:224 rtt:22.296/6.356 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5195551bps lastsnd:6512 lastrcv:6444 lastack:6444 pacing_rate 10390688bps delivery_rate 1024360bps delivered:4 app_limited busy:48ms rcv_space:14480 rcv_ssthresh:64088 minrtt:22.224 snd_wnd:65536
ESTAB 0      434400 172.24.232.244:54218 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb608256,f2592,w464352,o0,bl0,d0) reno wscale:10,10 rto:240 rtt:39.746/0.069 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:55 ssthresh:33 bytes_sent:12545509 bytes_retrans:111496 bytes_acked:12354374 segs_out:8667 segs_in:4655 data_segs_out:8665 send 16029789bps lastrcv:6468 pacing_rate 19235680bps delivery_rate 15399232bps delivered:8534 busy:6468ms unacked:55 retrans:0/77 rcv_space:14480 rcv_ssthresh:64088 notsent:354760 minrtt:22.207 snd_wnd:751616
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.24.232.244:54210 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:224 rtt:22.296/6.356 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5195551bps lastsnd:7516 lastrcv:7448 lastack:7448 pacing_rate 10390688bps delivery_rate 1024360bps delivered:4 app_limited busy:48ms rcv_space:14480 rcv_ssthresh:64088 minrtt:22.224 snd_wnd:65536
ESTAB 0      586440 172.24.232.244:54218 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb608256,f504,w613896,o0,bl0,d0) reno wscale:10,10 rto:236 rtt:34.637/0.361 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:47 ssthresh:32 bytes_sent:14468453 bytes_retrans:112944 bytes_acked:14287454 segs_out:9995 segs_in:5366 data_segs_out:9993 send 15718682bps lastrcv:7472 pacing_rate 18861936bps delivery_rate 15383792bps delivered:9869 busy:7472ms unacked:47 retrans:0/78 rcv_space:14480 rcv_ssthresh:64088 notsent:518384 minrtt:22.207 snd_wnd:751616
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.24.232.244:54210 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:224 rtt:22.296/6.356 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5195551bps lastsnd:8516 lastrcv:8448 lastack:8448 pacing_rate 10390688bps delivery_rate 1024360bps delivered:4 app_limited busy:48ms rcv_space:14480 rcv_ssthresh:64088 minrtt:22.224 snd_wnd:65536
ESTAB 0      479288 172.24.232.244:54218 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb608256,f2888,w500920,o0,bl0,d0) reno wscale:10,10 rto:228 rtt:26.826/0.321 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:37 ssthresh:33 bytes_sent:16387053 bytes_retrans:114392 bytes_acked:16219086 segs_out:11320 segs_in:6096 data_segs_out:11318 send 15977335bps lastrcv:8472 pacing_rate 19172352bps delivery_rate 15415072bps delivered:11203 busy:8472ms unacked:37 retrans:0/79 rcv_space:14480 rcv_ssthresh:64088 notsent:425712 minrtt:22.207 snd_wnd:751616
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.24.232.244:54210 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:224 rtt:22.296/6.356 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:186 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 5195551bps lastsnd:9528 lastrcv:9460 lastack:9460 pacing_rate 10390688bps delivery_rate 1024360bps delivered:4 app_limited busy:48ms rcv_space:14480 rcv_ssthresh:64088 minrtt:22.224 snd_wnd:65536
ESTAB 0      612504 172.24.232.244:54218 172.31.111.245:5201
	 skmem:(r0,rb131072,t0,tb608256,f3816,w647448,o0,bl0,d0) reno wscale:10,10 rto:248 rtt:47.191/0.353 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:64 ssthresh:33 bytes_sent:18378053 bytes_retrans:114392 bytes_acked:18170990 segs_out:12695 segs_in:6791 data_segs_out:12693 send 15710114bps lastsnd:4 lastrcv:9484 lastack:4 pacing_rate 18852080bps delivery_rate 15438464bps delivered:12551 busy:9484ms unacked:64 retrans:0/79 rcv_space:14480 rcv_ssthresh:64088 notsent:519832 minrtt:22.207 snd_wnd:751616
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
