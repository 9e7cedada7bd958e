2026-11-25T08:35:50+00:00
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
2026-11-25T08:35:51+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      172.19.190.130:52554 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:9.472/2.774 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 12229730bps lastsnd:668 lastrcv:640 lastack:640 pacing_rate 24458168bps delivery_rate 2412824bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:9.39 snd_wnd:65536
ESTAB 0      104256 172.19.190.130:52560 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb147456,f512,w110080,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:10.379/0.202 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 ssthresh:9 bytes_sent:1036805 bytes_retrans:70952 bytes_acked:951374 segs_out:719 segs_in:434 data_segs_out:717 send 11160998bps lastsnd:4 lastrcv:648 lastack:4 pacing_rate 13392712bps delivery_rate 11130968bps delivered:659 busy:648ms unacked:10 retrans:0/49 rcv_space:14480 rcv_ssthresh:64088 notsent:89776 minrtt:9 snd_wnd:459776
2026-11-25T08:35:52+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      172.19.190.130:52554 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:9.472/2.774 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 12229730bps lastsnd:1668 lastrcv:1640 lastack:1640 pacing_rate 24458168bps delivery_rate 2412824bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:9.39 snd_wnd:65536
ESTAB 0      139008 172.19.190.130:52560 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb147456,f3456,w144000,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:10.924/2.227 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:5 ssthresh:4 bytes_sent:2128597 bytes_retrans:97016 bytes_acked:2024342 segs_out:1473 segs_in:866 data_segs_out:1471 send 5302087bps lastsnd:4 lastrcv:1648 lastack:4 pacing_rate 6362280bps delivery_rate 5910200bps delivered:1400 busy:1648ms unacked:5 retrans:0/67 rcv_space:14480 rcv_ssthresh:64088 notsent:131768 minrtt:8.027 snd_wnd:459776
2026-11-25T08:35:53+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      172.19.190.130:52554 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:9.472/2.774 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 12229730bps lastsnd:2668 lastrcv:2640 lastack:2640 pacing_rate 24458168bps delivery_rate 2412824bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:9.39 snd_wnd:65536
ESTAB 0      124528 172.19.190.130:52560 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb147456,f720,w130352,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:10.762/0.572 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 ssthresh:4 bytes_sent:2956853 bytes_retrans:121632 bytes_acked:2820742 segs_out:2045 segs_in:1179 data_segs_out:2043 send 10763799bps lastsnd:4 lastrcv:2648 lastack:4 pacing_rate 12916552bps delivery_rate 10231400bps delivered:1950 busy:2648ms unacked:10 retrans:0/84 rcv_space:14480 rcv_ssthresh:64088 notsent:110048 minrtt:8.027 snd_wnd:459776
2026-11-25T08:35:54+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      172.19.190.130:52554 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:9.472/2.774 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 12229730bps lastsnd:3668 lastrcv:3640 lastack:3640 pacing_rate 24458168bps delivery_rate 2412824bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:9.39 snd_wnd:65536
ESTAB 0      144800 172.19.190.130:52560 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb147456,f928,w150624,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:11.089/1.847 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:6 ssthresh:4 bytes_sent:4132629 bytes_retrans:150592 bytes_acked:3973350 segs_out:2857 segs_in:1636 data_segs_out:2855 send 6267833bps lastsnd:4 lastrcv:3648 lastack:4 pacing_rate 7521224bps delivery_rate 5409544bps delivered:2746 busy:3648ms unacked:6 retrans:0/104 rcv_space:14480 rcv_ssthresh:64088 notsent:136112 minrtt:8.027 snd_wnd:459776
2026-11-25T08:35:55+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      172.19.190.130:52554 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:9.472/2.774 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 12229730bps lastsnd:4664 lastrcv:4636 lastack:4636 pacing_rate 24458168bps delivery_rate 2412824bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:9.39 snd_wnd:65536
ESTAB 0      125976 172.19.190.130:52560 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb147456,f104,w130968,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:11.629/1.925 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:7 ssthresh:5 bytes_sent:5096997 bytes_retrans:182448 bytes_acked:4904414 segs_out:3523 segs_in:2008 data_segs_out:3521 send 6972913bps lastrcv:4644 pacing_rate 8367312bps delivery_rate 7452936bps delivered:3389 busy:4644ms unacked:7 retrans:0/126 rcv_space:14480 rcv_ssthresh:64088 notsent:115840 minrtt:8 snd_wnd:459776
2026-11-25T08:35:56+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      172.19.190.130:52554 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:9.472/2.774 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 12229730bps lastsnd:5668 lastrcv:5640 lastack:5640 pacing_rate 24458168bps delivery_rate 2412824bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:9.39 snd_wnd:65536
ESTAB 0      101360 172.19.190.130:52560 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb147456,f2576,w108016,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:10.36/0.601 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 ssthresh:7 bytes_sent:6188789 bytes_retrans:202720 bytes_acked:5971590 segs_out:4277 segs_in:2435 data_segs_out:4275 send 11181467bps lastrcv:5648 pacing_rate 13417272bps delivery_rate 10019792bps delivered:4126 busy:5648ms unacked:10 retrans:0/140 rcv_space:14480 rcv_ssthresh:64088 notsent:86880 minrtt:8 snd_wnd:459776
2026-11-25T08:35:57+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      172.19.190.130:52554 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:9.472/2.774 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 12229730bps lastsnd:6668 lastrcv:6640 lastack:6640 pacing_rate 24458168bps delivery_rate 2412824bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:9.39 snd_wnd:65536
ESTAB 0      131768 172.19.190.130:52560 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb147456,f8,w139256,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:10.984/0.466 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:9 ssthresh:9 bytes_sent:7368909 bytes_retrans:225888 bytes_acked:7114062 segs_out:5092 segs_in:2882 data_segs_out:5090 send 9491624bps lastrcv:6648 pacing_rate 20248792bps delivery_rate 11347760bps delivered:4926 busy:6648ms unacked:20 retrans:2/156 lost:2 sacked:11 rcv_space:14480 rcv_ssthresh:64088 notsent:102808 minrtt:8 snd_wnd:459776
2026-11-25T08:35:58+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      172.19.190.130:52554 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:9.472/2.774 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 12229730bps lastsnd:7668 lastrcv:7640 lastack:7640 pacing_rate 24458168bps delivery_rate 2412824bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:9.39 snd_wnd:65536
ESTAB 0      105704 172.19.190.130:52560 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb147456,f3992,w110696,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:10.933/1.971 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:6 ssthresh:4 bytes_sent:8182685 bytes_retrans:251952 bytes_acked:7922046 segs_out:5654 segs_in:3210 data_segs_out:5652 send 6357267bps lastrcv:7648 pacing_rate 7628192bps delivery_rate 5942944bps delivered:5473 busy:7648ms unacked:6 retrans:0/174 rcv_space:14480 rcv_ssthresh:64088 notsent:97016 minrtt:8 snd_wnd:459776
2026-11-25T08:35:59+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      172.19.190.130:52554 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:9.472/2.774 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 12229730bps lastsnd:8664 lastrcv:8636 lastack:8636 pacing_rate 24458168bps delivery_rate 2412824bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:9.39 snd_wnd:65536
ESTAB 0      124528 172.19.190.130:52560 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb147456,f1552,w129520,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:10.068/0.853 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:6 ssthresh:6 bytes_sent:9357013 bytes_retrans:272224 bytes_acked:9076102 segs_out:6465 segs_in:3659 data_segs_out:6463 send 6903456bps lastsnd:4 lastrcv:8644 lastack:4 pacing_rate 8284144bps delivery_rate 7227200bps delivered:6270 busy:8644ms unacked:6 retrans:0/188 rcv_space:14480 rcv_ssthresh:64088 notsent:115840 minrtt:8 snd_wnd:458752
2026-11-25T08:36:00+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      172.19.190.130:52554 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:9.472/2.774 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 12229730bps lastsnd:9668 lastrcv:9640 lastack:9640 pacing_rate 24458168bps delivery_rate 2412824bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:9.39 snd_wnd:65536
ESTAB 0      123080 172.19.190.130:52560 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb147456,f504,w130568,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:10.817/1.129 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:12 ssthresh:10 bytes_sent:12089389 bytes_retrans:289600 bytes_acked:11782414 segs_out:8352 segs_in:4706 data_segs_out:8350 send 12850883bps lastrcv:9648 pacing_rate 15420880bps delivery_rate 10690288bps delivered:8139 busy:9648ms unacked:12 retrans:0/200 rcv_space:14480 rcv_ssthresh:64088 notsent:105704 minrtt:4.668 snd_wnd:459776
2026-11-25T08:36:01+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      172.19.190.130:52554 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:9.472/2.774 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 12229730bps lastsnd:10668 lastrcv:10640 lastack:10640 pacing_rate 24458168bps delivery_rate 2412824bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:9.39 snd_wnd:65536
ESTAB 0      123080 172.19.190.130:52560 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb147456,f2168,w128904,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:10.947/1.16 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:8 ssthresh:7 bytes_sent:13156565 bytes_retrans:320008 bytes_acked:12824974 segs_out:9089 segs_in:5125 data_segs_out:9087 send 8465516bps lastsnd:4 lastrcv:10648 lastack:4 pacing_rate 10158616bps delivery_rate 8942584bps delivered:8859 busy:10648ms unacked:8 retrans:0/221 rcv_space:14480 rcv_ssthresh:64088 notsent:111496 minrtt:4.668 snd_wnd:459776
2026-11-25T08:36:02+00:00
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      172.19.190.130:52554 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:9.472/2.774 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:8 segs_in:7 data_segs_out:3 data_segs_in:4 send 12229730bps lastsnd:11668 lastrcv:11640 lastack:11640 pacing_rate 24458168bps delivery_rate 2412824bps delivered:4 app_limited busy:20ms rcv_space:14480 rcv_ssthresh:64088 minrtt:9.39 snd_wnd:65536
ESTAB 0      137560 172.19.190.130:52560 172.16.152.131:5201
	 skmem:(r0,rb131072,t0,tb147456,f3240,w144216,o0,bl0,d0) cubic wscale:10,10 rto:212 rtt:10.1/0.328 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:11 ssthresh:7 bytes_sent:14341029 bytes_retrans:341728 bytes_acked:13983374 segs_out:9907 segs_in:5570 data_segs_out:9905 send 12616238bps lastrcv:11648 pacing_rate 15138168bps delivery_rate 11716392bps delivered:9659 busy:11648ms unacked:11 retrans:0/236 rcv_space:14480 rcv_ssthresh:64088 notsent:121632 minrtt:4.668 snd_wnd:459776
2026-11-25T08:36:03+00:00
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
