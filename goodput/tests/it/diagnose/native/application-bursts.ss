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
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:440 lastrcv:4 lastack:4 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      46336  172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f1920,w51328,o0,bl0,d0) cubic wscale:10,10 rto:436 rtt:144.623/54.235 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:14517 bytes_acked:38 segs_out:13 segs_in:2 data_segs_out:11 send 800979bps lastsnd:4 lastrcv:148 lastack:4 pacing_rate 1601952bps delivery_rate 80088bps delivered:2 app_limited busy:148ms unacked:10 rcv_space:14480 rcv_ssthresh:64088 notsent:31856 minrtt:144.622 snd_wnd:65536    
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                          
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:1392 lastrcv:956 lastack:956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      0      172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:408 rtt:168.062/13.952 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:42 bytes_sent:46373 bytes_acked:46374 segs_out:35 segs_in:28 data_segs_out:33 send 2894932bps lastsnd:660 lastrcv:1100 lastack:508 pacing_rate 5789856bps delivery_rate 1598984bps delivered:34 busy:592ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.622 snd_wnd:80896                                       
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:2392 lastrcv:1956 lastack:1956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      0      172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:408 rtt:189.139/13.909 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:69 bytes_sent:131109 bytes_acked:131110 segs_out:94 segs_in:86 data_segs_out:92 send 4225971bps lastsnd:480 lastrcv:2100 lastack:280 pacing_rate 8451936bps delivery_rate 1962600bps delivered:93 busy:1144ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.622 snd_wnd:193536                                     
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:3392 lastrcv:2956 lastack:2956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      0      172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:408 rtt:189.139/13.909 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:69 bytes_sent:131109 bytes_acked:131110 segs_out:94 segs_in:86 data_segs_out:92 send 4225971bps lastsnd:1480 lastrcv:3100 lastack:1280 pacing_rate 8451936bps delivery_rate 1962600bps delivered:93 busy:1144ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.622 snd_wnd:193536                                   
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:4392 lastrcv:3956 lastack:3956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      0      172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:388 rtt:181.894/9.331 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:101 bytes_sent:262181 bytes_acked:262182 segs_out:185 segs_in:143 data_segs_out:183 send 6432230bps lastsnd:292 lastrcv:4100 lastack:104 pacing_rate 12864448bps delivery_rate 3019984bps delivered:184 busy:1816ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.622 snd_wnd:207872                                
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:5392 lastrcv:4956 lastack:4956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      0      172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:388 rtt:181.894/9.331 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:101 bytes_sent:262181 bytes_acked:262182 segs_out:185 segs_in:143 data_segs_out:183 send 6432230bps lastsnd:1292 lastrcv:5100 lastack:1104 pacing_rate 12864448bps delivery_rate 3019984bps delivered:184 busy:1816ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.622 snd_wnd:207872                              
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:6396 lastrcv:5960 lastack:5960 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      0      172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:388 rtt:181.894/9.331 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:101 bytes_sent:262181 bytes_acked:262182 segs_out:185 segs_in:143 data_segs_out:183 send 6432230bps lastsnd:2296 lastrcv:6104 lastack:2108 pacing_rate 12864448bps delivery_rate 3019984bps delivered:184 busy:1816ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.622 snd_wnd:207872                              
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:7392 lastrcv:6956 lastack:6956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      29712  172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f2096,w38864,o0,bl0,d0) cubic wscale:10,10 rto:404 rtt:200.486/24.127 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:80 bytes_sent:393253 bytes_acked:363542 segs_out:276 segs_in:186 data_segs_out:274 send 4622368bps lastsnd:112 lastrcv:7100 lastack:4 pacing_rate 9244712bps delivery_rate 2053752bps delivered:254 busy:2416ms unacked:21 rcv_space:14480 rcv_ssthresh:64088 minrtt:144.622 snd_wnd:207872                 
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:8392 lastrcv:7956 lastack:7956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      0      172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:388 rtt:184.728/8.198 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:101 bytes_sent:393253 bytes_acked:393254 segs_out:276 segs_in:197 data_segs_out:274 send 6333550bps lastsnd:1112 lastrcv:8100 lastack:924 pacing_rate 12667064bps delivery_rate 3019632bps delivered:275 busy:2492ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.622 snd_wnd:207872                               
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                            
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:9392 lastrcv:8956 lastack:8956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      0      172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:388 rtt:184.728/8.198 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:101 bytes_sent:393253 bytes_acked:393254 segs_out:276 segs_in:197 data_segs_out:274 send 6333550bps lastsnd:2112 lastrcv:9100 lastack:1924 pacing_rate 12667064bps delivery_rate 3019632bps delivered:275 busy:2492ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.622 snd_wnd:207872                              
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                             
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:10392 lastrcv:9956 lastack:9956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      87632  172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f1392,w105104,o0,bl0,d0) cubic wscale:10,10 rto:376 rtt:171.858/12.004 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:40 bytes_sent:494613 bytes_acked:436694 segs_out:346 segs_in:220 data_segs_out:344 send 2696179bps lastsnd:52 lastrcv:10100 lastack:52 pacing_rate 5392336bps delivery_rate 1239160bps delivered:305 busy:2916ms unacked:40 rcv_space:14480 rcv_ssthresh:64088 notsent:29712 minrtt:144.622 snd_wnd:207872  
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:11392 lastrcv:10956 lastack:10956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      0      172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:388 rtt:184.747/8.167 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:101 bytes_sent:524325 bytes_acked:524326 segs_out:367 segs_in:251 data_segs_out:365 send 6332899bps lastsnd:936 lastrcv:11100 lastack:748 pacing_rate 12665768bps delivery_rate 3020000bps delivered:366 busy:3168ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.622 snd_wnd:207872                                  
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:12392 lastrcv:11956 lastack:11956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      0      172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:388 rtt:184.747/8.167 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:101 bytes_sent:524325 bytes_acked:524326 segs_out:367 segs_in:251 data_segs_out:365 send 6332899bps lastsnd:1936 lastrcv:12100 lastack:1748 pacing_rate 12665768bps delivery_rate 3020000bps delivered:366 busy:3168ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.622 snd_wnd:207872                                
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:13392 lastrcv:12956 lastack:12956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      116592 172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f400,w126576,o0,bl0,d0) cubic wscale:10,10 rto:376 rtt:173.702/7.394 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:20 bytes_sent:567765 bytes_acked:538806 segs_out:397 segs_in:261 data_segs_out:395 send 1333779bps lastsnd:64 lastrcv:13100 lastack:64 pacing_rate 2667544bps delivery_rate 3020000bps delivered:376 busy:3412ms unacked:20 rcv_space:14480 rcv_ssthresh:64088 notsent:87632 minrtt:144.622 snd_wnd:207872      
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:14392 lastrcv:13956 lastack:13956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      0      172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:388 rtt:184.69/8.14 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:101 bytes_sent:655397 bytes_acked:655398 segs_out:458 segs_in:305 data_segs_out:456 send 6334853bps lastsnd:760 lastrcv:14100 lastack:572 pacing_rate 12669648bps delivery_rate 3021160bps delivered:457 busy:3840ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.622 snd_wnd:207872                                    
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:15392 lastrcv:14956 lastack:14956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      0      172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:388 rtt:184.69/8.14 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:101 bytes_sent:655397 bytes_acked:655398 segs_out:458 segs_in:305 data_segs_out:456 send 6334853bps lastsnd:1760 lastrcv:15100 lastack:1572 pacing_rate 12669648bps delivery_rate 3021160bps delivered:457 busy:3840ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.622 snd_wnd:207872                                  
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:16392 lastrcv:15956 lastack:15956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      131072 172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f2368,w136896,o0,bl0,d0) cubic wscale:10,10 rto:388 rtt:184.69/8.14 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:669877 bytes_acked:655398 segs_out:468 segs_in:305 data_segs_out:466 send 627213bps lastsnd:68 lastrcv:16100 lastack:2572 pacing_rate 12669648bps delivery_rate 3021160bps delivered:457 busy:3908ms unacked:10 rcv_space:14480 rcv_ssthresh:64088 notsent:116592 minrtt:144.622 snd_wnd:207872    
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess                                                                                                                                                                                                                                                                                                                                                                                                                                                               
ESTAB 0      0      172.29.233.150:49366 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:412 rtt:144.66/40.795 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 800774bps lastsnd:17392 lastrcv:16956 lastack:16956 pacing_rate 1601536bps delivery_rate 159680bps delivered:4 app_limited busy:292ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.596 snd_wnd:65536
ESTAB 0      0      172.29.233.150:49376 172.16.213.151:5201
	 skmem:(r0,rb131072,t0,tb101376,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:388 rtt:184.696/8.178 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:101 bytes_sent:786469 bytes_acked:786470 segs_out:549 segs_in:359 data_segs_out:547 send 6334647bps lastsnd:580 lastrcv:17100 lastack:392 pacing_rate 12669248bps delivery_rate 3020496bps delivered:548 busy:4516ms rcv_space:14480 rcv_ssthresh:64088 minrtt:144.622 snd_wnd:207872                                  
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
