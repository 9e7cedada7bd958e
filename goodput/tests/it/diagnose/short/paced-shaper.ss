1795949692.665
ESTAB 0 76791 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb69120,f2569,w83447,o0,bl0,d0) ts sack bbr wscale:10,10 rto:1428 rtt:30.421/15.21 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:13079 bytes_acked:1 segs_out:12 segs_in:1 data_segs_out:10 unacked:10 delivered:1 notsent:63712 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:65160 rcv_wnd:64512 lastsnd:0 lastrcv:0 lastack:0 pacing_rate 10882376bps app_limited minrtt:30.421
1795949693.074
ESTAB 0 916776 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1092096,f1048,w949224,o0,bl0,d0) ts sack bbr wscale:10,10 rto:232 rtt:30.732/0.34 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:110 ssthresh:64 bytes_sent:1133639 bytes_retrans:322904 bytes_acked:735440 segs_out:786 segs_in:412 data_segs_out:784 unacked:52 delivered:510 notsent:841480 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:854016 rcv_wnd:64512 lastsnd:0 lastrcv:408 lastack:0 pacing_rate 19071880bps delivery_rate 19102168bps busy:408ms rwnd_limited:4ms(1.0%) retrans:0/223 minrtt:30
1795949693.478
ESTAB 0 1057232 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1092096,f3888,w1093840,o0,bl0,d0) ts sack bbr wscale:10,10 rto:240 rtt:36.627/1.64 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:110 ssthresh:64 bytes_sent:2111039 bytes_retrans:324352 bytes_acked:1702704 segs_out:1461 segs_in:931 data_segs_out:1459 unacked:58 delivered:1178 notsent:973248 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1912832 rcv_wnd:64512 lastsnd:4 lastrcv:816 lastack:0 pacing_rate 14230088bps delivery_rate 19125864bps busy:816ms rwnd_limited:4ms(0.5%) retrans:0/224 minrtt:30
1795949693.884
ESTAB 0 803832 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1092096,f1736,w837944,o0,bl0,d0) ts sack bbr wscale:10,10 rto:236 rtt:35.482/0.041 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:116 ssthresh:64 bytes_sent:3081199 bytes_retrans:324352 bytes_acked:2672864 segs_out:2131 segs_in:1258 data_segs_out:2129 unacked:58 delivered:1848 notsent:719848 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1912832 rcv_wnd:64512 lastsnd:0 lastrcv:1220 lastack:0 pacing_rate 19210640bps delivery_rate 19133400bps busy:1220ms rwnd_limited:4ms(0.3%) retrans:0/224 minrtt:30
1795949694.293
ESTAB 0 871888 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1092096,f1648,w907664,o0,bl0,d0) ts sack bbr wscale:10,10 rto:236 rtt:34.963/0.054 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:114 ssthresh:64 bytes_sent:4062943 bytes_retrans:328696 bytes_acked:3647368 segs_out:2809 segs_in:1590 data_segs_out:2807 unacked:60 delivered:2521 notsent:785008 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1913856 rcv_wnd:64512 lastsnd:0 lastrcv:1628 lastack:0 pacing_rate 19218160bps delivery_rate 19135104bps busy:1628ms rwnd_limited:4ms(0.2%) retrans:0/227 minrtt:30
1795949694.698
ESTAB 0 944288 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1092096,f2144,w980896,o0,bl0,d0) ts sack bbr wscale:10,10 rto:240 rtt:36.011/1.452 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:116 ssthresh:64 bytes_sent:5037447 bytes_retrans:333040 bytes_acked:4617528 segs_out:3482 segs_in:1919 data_segs_out:3480 unacked:60 delivered:3191 notsent:857408 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1913856 rcv_wnd:64512 lastsnd:0 lastrcv:2032 lastack:0 pacing_rate 14419256bps delivery_rate 19150680bps busy:2032ms rwnd_limited:4ms(0.2%) retrans:0/230 minrtt:30
1795949695.192
ESTAB 0 1015240 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f3192,w1057672,o0,bl0,d0) ts sack bbr wscale:10,10 rto:252 rtt:48.481/17.116 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:160 ssthresh:64 bytes_sent:6226255 bytes_retrans:334488 bytes_acked:5784616 segs_out:4303 segs_in:2195 data_segs_out:4301 unacked:74 delivered:3997 notsent:908088 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1540096 rcv_wnd:64512 lastsnd:0 lastrcv:2528 lastack:8 pacing_rate 14311088bps delivery_rate 19081048bps busy:2528ms rwnd_limited:4ms(0.2%) retrans:0/231 minrtt:30
1795949695.628
ESTAB 0 1065920 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f3392,w1102528,o0,bl0,d0) ts sack bbr wscale:10,10 rto:236 rtt:33.241/0.276 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:160 ssthresh:64 bytes_sent:7257231 bytes_retrans:335936 bytes_acked:6841656 segs_out:5015 segs_in:2670 data_segs_out:5013 unacked:55 delivered:4727 notsent:986280 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:3223552 rcv_wnd:64512 lastsnd:0 lastrcv:2964 lastack:0 pacing_rate 18972768bps delivery_rate 18632504bps busy:2964ms rwnd_limited:4ms(0.1%) retrans:0/232 minrtt:30
1795949696.034
ESTAB 0 1006552 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f2152,w1042328,o0,bl0,d0) ts sack bbr wscale:10,10 rto:236 rtt:33.535/0.272 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:158 ssthresh:64 bytes_sent:8233183 bytes_retrans:338832 bytes_acked:7813264 segs_out:5689 segs_in:3341 data_segs_out:5687 unacked:56 delivered:5398 notsent:925464 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:5166080 rcv_wnd:64512 lastsnd:0 lastrcv:3372 lastack:4 pacing_rate 18989856bps delivery_rate 16523280bps busy:3372ms rwnd_limited:4ms(0.1%) retrans:0/234 minrtt:30
1795949696.440
ESTAB 0 1078952 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f152,w1118056,o0,bl0,d0) ts sack bbr wscale:10,10 rto:236 rtt:32.485/0.289 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:158 ssthresh:64 bytes_sent:9213479 bytes_retrans:340280 bytes_acked:8783424 segs_out:6366 segs_in:4011 data_segs_out:6364 unacked:62 delivered:6068 notsent:989176 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:7106560 rcv_wnd:64512 lastsnd:0 lastrcv:3776 lastack:0 pacing_rate 23739024bps delivery_rate 19124112bps busy:3776ms rwnd_limited:4ms(0.1%) retrans:0/235 minrtt:30
1795949696.846
ESTAB 0 1084744 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f1784,w1120520,o0,bl0,d0) ts sack bbr wscale:10,10 rto:236 rtt:33.47/0.081 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:158 ssthresh:64 bytes_sent:10176399 bytes_retrans:343176 bytes_acked:9755032 segs_out:7031 segs_in:4671 data_segs_out:7029 unacked:54 delivered:6739 notsent:1006552 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:8984576 rcv_wnd:64512 lastsnd:4 lastrcv:4184 lastack:4 pacing_rate 18985752bps delivery_rate 18985712bps busy:4184ms rwnd_limited:4ms(0.1%) retrans:0/237 minrtt:30
1795949697.255
ESTAB 0 887816 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f3768,w921928,o0,bl0,d0) ts sack bbr wscale:10,10 rto:244 rtt:40.422/1.693 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:154 ssthresh:64 bytes_sent:11158143 bytes_retrans:343176 bytes_acked:10733880 segs_out:7709 segs_in:5009 data_segs_out:7707 unacked:56 delivered:7415 notsent:806728 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:8984576 rcv_wnd:64512 lastsnd:0 lastrcv:4592 lastack:0 pacing_rate 18974136bps delivery_rate 19120016bps busy:4592ms rwnd_limited:4ms(0.1%) retrans:0/237 minrtt:30
1795949697.662
ESTAB 0 895056 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f1456,w928336,o0,bl0,d0) ts sack bbr wscale:10,10 rto:236 rtt:32.916/0.061 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:146 ssthresh:64 bytes_sent:12125407 bytes_retrans:343176 bytes_acked:11704040 segs_out:8377 segs_in:5344 data_segs_out:8375 unacked:54 delivered:8085 notsent:816864 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:8984576 rcv_wnd:64512 lastsnd:0 lastrcv:4996 lastack:0 pacing_rate 19010360bps delivery_rate 19018000bps busy:4996ms rwnd_limited:4ms(0.1%) retrans:0/237 minrtt:30
1795949698.067
ESTAB 0 902296 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f1576,w936408,o0,bl0,d0) ts sack bbr wscale:10,10 rto:236 rtt:33.849/0.106 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:144 ssthresh:64 bytes_sent:13098463 bytes_retrans:343176 bytes_acked:12674200 segs_out:9049 segs_in:5679 data_segs_out:9047 unacked:56 delivered:8755 notsent:821208 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:8984576 rcv_wnd:64512 lastsnd:0 lastrcv:5404 lastack:0 pacing_rate 19017200bps delivery_rate 19017440bps busy:5404ms rwnd_limited:4ms(0.1%) retrans:0/237 minrtt:30
1795949698.472
ESTAB 0 977592 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f776,w1015032,o0,bl0,d0) ts sack bbr wscale:10,10 rto:236 rtt:34.134/1.281 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:154 ssthresh:64 bytes_sent:14074415 bytes_retrans:343176 bytes_acked:13641464 segs_out:9723 segs_in:6013 data_segs_out:9721 unacked:62 delivered:9423 notsent:887816 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:8984576 rcv_wnd:64512 lastsnd:0 lastrcv:5808 lastack:0 pacing_rate 14220344bps delivery_rate 19124448bps busy:5808ms rwnd_limited:4ms(0.1%) retrans:0/237 minrtt:30
1795949698.878
ESTAB 0 984832 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f960,w1018944,o0,bl0,d0) ts sack bbr wscale:10,10 rto:236 rtt:32.65/0.079 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:154 ssthresh:64 bytes_sent:15032991 bytes_retrans:343176 bytes_acked:14611624 segs_out:10385 segs_in:6348 data_segs_out:10383 unacked:54 delivered:10093 notsent:906640 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:8984576 rcv_wnd:64512 lastsnd:0 lastrcv:6212 lastack:0 pacing_rate 18954992bps delivery_rate 18957928bps busy:6212ms rwnd_limited:4ms(0.1%) retrans:0/237 minrtt:30
1795949699.282
ESTAB 0 994968 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f2280,w1029912,o0,bl0,d0) ts sack bbr wscale:10,10 rto:236 rtt:34.236/0.507 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:154 ssthresh:64 bytes_sent:16000255 bytes_retrans:343176 bytes_acked:15578888 segs_out:11053 segs_in:6682 data_segs_out:11051 unacked:54 delivered:10761 notsent:916776 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:8984576 rcv_wnd:64512 lastsnd:4 lastrcv:6620 lastack:4 pacing_rate 18980288bps delivery_rate 16849872bps busy:6620ms rwnd_limited:4ms(0.1%) retrans:0/237 minrtt:30
1795949699.686
ESTAB 0 1008000 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f640,w1047936,o0,bl0,d0) ts sack bbr wscale:10,10 rto:236 rtt:32.647/0.075 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:154 ssthresh:64 bytes_sent:16981999 bytes_retrans:343176 bytes_acked:16543256 segs_out:11731 segs_in:7015 data_segs_out:11729 unacked:66 delivered:11427 notsent:912432 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:8984576 rcv_wnd:64512 lastsnd:4 lastrcv:7024 lastack:4 pacing_rate 23695448bps delivery_rate 18957352bps busy:7024ms rwnd_limited:4ms(0.1%) retrans:0/237 minrtt:30
1795949700.170
ESTAB 0 1025376 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f3808,w1061152,o0,bl0,d0) ts sack bbr wscale:10,10 rto:240 rtt:37.379/8.737 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:162 ssthresh:64 bytes_sent:18123023 bytes_retrans:343176 bytes_acked:17698760 segs_out:12519 segs_in:7282 data_segs_out:12517 unacked:56 delivered:12225 notsent:944288 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:8984576 rcv_wnd:64512 lastsnd:0 lastrcv:7504 lastack:0 pacing_rate 23755264bps delivery_rate 19139320bps busy:7504ms rwnd_limited:4ms(0.1%) retrans:0/237 minrtt:30
1795949700.603
ESTAB 0 1031168 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f2944,w1066112,o0,bl0,d0) ts sack bbr wscale:10,10 rto:236 rtt:32.816/0.082 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:160 ssthresh:64 bytes_sent:19156895 bytes_retrans:343176 bytes_acked:18735528 segs_out:13233 segs_in:7578 data_segs_out:13231 unacked:54 delivered:12941 notsent:952976 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:8984576 rcv_wnd:64512 lastsnd:0 lastrcv:7940 lastack:0 pacing_rate 18957728bps delivery_rate 18957968bps busy:7940ms rwnd_limited:4ms(0.1%) retrans:0/237 minrtt:30
1795949701.010
ESTAB 0 1032616 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f664,w1068392,o0,bl0,d0) ts sack bbr wscale:10,10 rto:240 rtt:38.263/1.121 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:158 ssthresh:64 bytes_sent:20135743 bytes_retrans:343176 bytes_acked:19711480 segs_out:13909 segs_in:7912 data_segs_out:13907 unacked:56 delivered:13615 notsent:951528 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:8984576 rcv_wnd:64512 lastsnd:4 lastrcv:8348 lastack:0 pacing_rate 19181248bps delivery_rate 17981992bps busy:8348ms rwnd_limited:4ms(0.0%) retrans:0/237 minrtt:30
1795949701.485
ESTAB 0 866096 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f3920,w917680,o0,bl0,d0) ts sack bbr wscale:10,10 rto:248 rtt:45.16/15.227 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:160 ssthresh:64 bytes_sent:21282559 bytes_retrans:346072 bytes_acked:20790240 segs_out:14701 segs_in:8180 data_segs_out:14699 unacked:101 delivered:14360 notsent:719848 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:8837120 rcv_wnd:64512 lastsnd:0 lastrcv:8820 lastack:24 pacing_rate 14401320bps delivery_rate 19160808bps busy:8820ms rwnd_limited:4ms(0.0%) retrans:0/239 minrtt:30
1795949701.894
ESTAB 0 1070264 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f3144,w1106872,o0,bl0,d0) ts sack bbr wscale:10,10 rto:236 rtt:34.694/0.05 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:160 ssthresh:64 bytes_sent:22255615 bytes_retrans:350416 bytes_acked:21824112 segs_out:15373 segs_in:8518 data_segs_out:15371 unacked:56 delivered:15074 notsent:989176 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:8984576 rcv_wnd:64512 lastsnd:0 lastrcv:9228 lastack:0 pacing_rate 19222944bps delivery_rate 19123128bps busy:9228ms rwnd_limited:4ms(0.0%) retrans:0/242 minrtt:30
1795949702.349
ESTAB 0 1091984 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f1904,w1128592,o0,bl0,d0) ts sack bbr wscale:10,10 rto:236 rtt:34.012/0.006 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:146 ssthresh:64 bytes_sent:23347407 bytes_retrans:356208 bytes_acked:22910112 segs_out:16127 segs_in:8874 data_segs_out:16125 unacked:56 delivered:15824 notsent:1010896 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:8986624 rcv_wnd:64512 lastsnd:0 lastrcv:9684 lastack:0 pacing_rate 19142968bps delivery_rate 19122040bps busy:9684ms rwnd_limited:4ms(0.0%) retrans:0/246 minrtt:30
1795949702.753
ESTAB 0 841480 10.77.1.2:51444 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb1119744,f2616,w873928,o0,bl0,d0) ts sack bbr wscale:10,10 rto:240 rtt:36.483/1.209 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:146 ssthresh:64 bytes_sent:24311775 bytes_retrans:356208 bytes_acked:23877376 segs_out:16793 segs_in:9207 data_segs_out:16791 unacked:54 delivered:16492 notsent:763288 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:8986624 rcv_wnd:64512 lastsnd:0 lastrcv:10088 lastack:0 pacing_rate 18991224bps delivery_rate 17318960bps busy:10088ms rwnd_limited:4ms(0.0%) retrans:0/246 minrtt:30
