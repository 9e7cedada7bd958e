1795948681.108
ESTAB 0 76791 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb69120,f905,w85111,o0,bl0,d0) ts sack bbr wscale:7,10 rto:260 rtt:60.408/30.204 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:13079 bytes_acked:1 segs_out:12 segs_in:1 data_segs_out:10 unacked:10 delivered:1 notsent:63712 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:31856 rcv_wnd:64512 lastsnd:0 lastrcv:0 lastack:0 pacing_rate 5479664bps app_limited minrtt:60.408
1795948681.513
ESTAB 0 1603264 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2177280,f1472,w1661504,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.505/0.106 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:315 bytes_sent:600895 bytes_acked:438464 segs_out:420 segs_in:187 data_segs_out:418 unacked:113 delivered:306 notsent:1440832 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:0 lastrcv:404 lastack:0 pacing_rate 61369512bps delivery_rate 21205264bps busy:404ms rwnd_limited:80ms(19.8%) minrtt:60.28
1795948681.916
ESTAB 0 2155376 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f464,w2227760,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.401/0.016 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:248 ssthresh:128 bytes_sent:1677527 bytes_acked:1515352 segs_out:1166 segs_in:568 data_segs_out:1164 unacked:112 delivered:1053 notsent:1993200 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:0 lastrcv:808 lastack:0 pacing_rate 21462272bps delivery_rate 21451496bps busy:808ms rwnd_limited:216ms(26.7%) minrtt:60.27
1795948682.320
ESTAB 0 2245152 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f4064,w2318368,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.454/0.038 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:240 ssthresh:128 bytes_sent:2760631 bytes_acked:2598456 segs_out:1914 segs_in:942 data_segs_out:1912 unacked:112 delivered:1801 notsent:2082976 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:0 lastrcv:1212 lastack:0 pacing_rate 26811608bps delivery_rate 21441216bps busy:1212ms rwnd_limited:424ms(35.0%) minrtt:60.27
1795948682.724
ESTAB 0 2340720 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f1040,w2415600,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.448/0.017 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:240 ssthresh:128 bytes_sent:3837943 bytes_acked:3675768 segs_out:2658 segs_in:1314 data_segs_out:2656 unacked:112 delivered:2545 notsent:2178544 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:4 lastrcv:1616 lastack:4 pacing_rate 26595432bps delivery_rate 21472792bps busy:1616ms rwnd_limited:624ms(38.6%) minrtt:60.27
1795948683.129
ESTAB 0 2030848 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f512,w2100736,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.472/0.018 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:128 bytes_sent:4926839 bytes_acked:4767560 segs_out:3410 segs_in:1691 data_segs_out:3408 unacked:110 delivered:3299 notsent:1871568 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:0 lastrcv:2020 lastack:0 pacing_rate 26580912bps delivery_rate 21355104bps busy:2020ms rwnd_limited:744ms(36.8%) minrtt:60.27
1795948683.533
ESTAB 0 2126416 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f752,w2198800,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.463/0.022 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:128 bytes_sent:6007047 bytes_acked:5844872 segs_out:4156 segs_in:2063 data_segs_out:4154 unacked:112 delivered:4043 notsent:1964240 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:0 lastrcv:2424 lastack:4 pacing_rate 26575784bps delivery_rate 21383256bps busy:2424ms rwnd_limited:832ms(34.3%) minrtt:60.27
1795948683.938
ESTAB 0 2159720 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f216,w2232104,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.442/0.052 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:128 bytes_sent:7081463 bytes_acked:6919288 segs_out:4898 segs_in:2434 data_segs_out:4896 unacked:112 delivered:4785 notsent:1997544 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:4 lastrcv:2828 lastack:4 pacing_rate 26505720bps delivery_rate 21338944bps busy:2828ms rwnd_limited:924ms(32.7%) minrtt:60.27
1795948684.342
ESTAB 0 2193024 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f2944,w2266240,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.506/0.179 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:250 ssthresh:128 bytes_sent:8155879 bytes_acked:7993704 segs_out:5640 segs_in:2796 data_segs_out:5638 unacked:112 delivered:5527 notsent:2030848 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:0 lastrcv:3232 lastack:0 pacing_rate 26575784bps delivery_rate 20699400bps busy:3232ms rwnd_limited:1040ms(32.2%) minrtt:60.27
1795948684.746
ESTAB 0 2243704 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f3080,w2315256,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.489/0.127 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:254 ssthresh:128 bytes_sent:9204231 bytes_acked:9050744 segs_out:6364 segs_in:3138 data_segs_out:6362 unacked:106 delivered:6257 notsent:2090216 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:0 lastrcv:3636 lastack:0 pacing_rate 26573224bps delivery_rate 20557224bps busy:3636ms rwnd_limited:1148ms(31.6%) minrtt:60.27
1795948685.150
ESTAB 0 2226328 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f2408,w2299544,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.402/0.04 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:252 ssthresh:128 bytes_sent:10272855 bytes_acked:10110680 segs_out:7102 segs_in:3492 data_segs_out:7100 unacked:112 delivered:6989 notsent:2064152 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:0 lastrcv:4044 lastack:0 pacing_rate 26586040bps delivery_rate 21172144bps busy:4044ms rwnd_limited:1268ms(31.4%) minrtt:60.27
1795948685.554
ESTAB 0 2256736 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f3936,w2330784,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.5/0.038 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:128 bytes_sent:11350167 bytes_acked:11187992 segs_out:7846 segs_in:3864 data_segs_out:7844 unacked:112 delivered:7733 notsent:2094560 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:4 lastrcv:4448 lastack:4 pacing_rate 26592016bps delivery_rate 21460720bps busy:4448ms rwnd_limited:1384ms(31.1%) minrtt:60.27
1795948685.959
ESTAB 0 2346512 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f3440,w2421392,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.415/0.022 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:128 bytes_sent:12433271 bytes_acked:12271096 segs_out:8594 segs_in:4238 data_segs_out:8592 unacked:112 delivered:8481 notsent:2184336 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:4 lastrcv:4852 lastack:4 pacing_rate 26589456bps delivery_rate 21433776bps busy:4852ms rwnd_limited:1484ms(30.6%) minrtt:60.27
1795948686.363
ESTAB 0 2104696 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f2824,w2176248,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.439/0.016 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:128 bytes_sent:13522167 bytes_acked:13359992 segs_out:9346 segs_in:4614 data_segs_out:9344 unacked:112 delivered:9233 notsent:1942520 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:0 lastrcv:5256 lastack:0 pacing_rate 26589456bps delivery_rate 21374448bps busy:5256ms rwnd_limited:1584ms(30.1%) minrtt:60.27
1795948686.767
ESTAB 0 2135104 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f256,w2207488,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.458/0.063 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:128 bytes_sent:14599479 bytes_acked:14437304 segs_out:10090 segs_in:4986 data_segs_out:10088 unacked:112 delivered:9977 notsent:1972928 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:0 lastrcv:5660 lastack:0 pacing_rate 26587744bps delivery_rate 21452200bps busy:5660ms rwnd_limited:1696ms(30.0%) minrtt:60.27
1795948687.171
ESTAB 0 2159720 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f216,w2232104,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.395/0.022 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:128 bytes_sent:15682583 bytes_acked:15520408 segs_out:10838 segs_in:5360 data_segs_out:10836 unacked:112 delivered:10725 notsent:1997544 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:0 lastrcv:6064 lastack:0 pacing_rate 26596288bps delivery_rate 21485600bps busy:6064ms rwnd_limited:1808ms(29.8%) minrtt:60.27
1795948687.574
ESTAB 0 2178544 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f1872,w2250928,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.402/0.025 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:128 bytes_sent:16771479 bytes_acked:16609304 segs_out:11590 segs_in:5736 data_segs_out:11588 unacked:112 delivered:11477 notsent:2016368 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:4 lastrcv:6468 lastack:4 pacing_rate 26598856bps delivery_rate 21474928bps busy:6468ms rwnd_limited:1924ms(29.7%) minrtt:60.27
1795948687.978
ESTAB 0 2274112 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f2944,w2348160,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.508/0.029 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:128 bytes_sent:17848791 bytes_acked:17686616 segs_out:12334 segs_in:6108 data_segs_out:12332 unacked:112 delivered:12221 notsent:2111936 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:4 lastrcv:6872 lastack:4 pacing_rate 26598856bps delivery_rate 21443336bps busy:6872ms rwnd_limited:2028ms(29.5%) minrtt:60.27
1795948688.382
ESTAB 0 2301624 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f8,w2375672,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.459/0.05 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:128 bytes_sent:18928999 bytes_acked:18766824 segs_out:13080 segs_in:6481 data_segs_out:13078 unacked:112 delivered:12967 notsent:2139448 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:4 lastrcv:7276 lastack:4 pacing_rate 26578344bps delivery_rate 21403720bps busy:7276ms rwnd_limited:2120ms(29.1%) minrtt:60.27
1795948688.786
ESTAB 0 2317552 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f3728,w2392432,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.424/0.015 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:128 bytes_sent:20020791 bytes_acked:19858616 segs_out:13834 segs_in:6858 data_segs_out:13832 unacked:112 delivered:13721 notsent:2155376 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:4 lastrcv:7680 lastack:4 pacing_rate 26578344bps delivery_rate 21424568bps busy:7680ms rwnd_limited:2208ms(28.8%) minrtt:60.27
1795948689.191
ESTAB 0 2090216 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f920,w2161768,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.42/0.022 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:128 bytes_sent:21095207 bytes_acked:20933032 segs_out:14576 segs_in:7229 data_segs_out:14574 unacked:112 delivered:14463 notsent:1928040 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:4 lastrcv:8084 lastack:4 pacing_rate 26585184bps delivery_rate 21436256bps busy:8084ms rwnd_limited:2300ms(28.5%) minrtt:60.27
1795948689.595
ESTAB 0 2111936 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f3776,w2183488,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.43/0.014 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:128 bytes_sent:22181207 bytes_acked:22019032 segs_out:15326 segs_in:7604 data_segs_out:15324 unacked:112 delivered:15213 notsent:1949760 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:0 lastrcv:8488 lastack:0 pacing_rate 26580912bps delivery_rate 21438376bps busy:8488ms rwnd_limited:2396ms(28.2%) minrtt:60.259
1795948689.999
ESTAB 0 2136552 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f2904,w2208936,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.397/0.02 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:242 ssthresh:128 bytes_sent:23264311 bytes_acked:23102136 segs_out:16074 segs_in:7978 data_segs_out:16072 unacked:112 delivered:15961 notsent:1974376 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:4 lastrcv:8892 lastack:4 pacing_rate 26592872bps delivery_rate 21465688bps busy:8892ms rwnd_limited:2492ms(28.0%) minrtt:60.259
1795948690.404
ESTAB 0 2229224 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f3608,w2302440,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.433/0.047 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:242 ssthresh:128 bytes_sent:24344519 bytes_acked:24182344 segs_out:16820 segs_in:8351 data_segs_out:16818 unacked:112 delivered:16707 notsent:2067048 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:0 lastrcv:9296 lastack:0 pacing_rate 26589456bps delivery_rate 21425984bps busy:9296ms rwnd_limited:2600ms(28.0%) minrtt:60.259
1795948690.809
ESTAB 0 2248048 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f336,w2322096,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.432/0.022 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:244 ssthresh:128 bytes_sent:25433415 bytes_acked:25271240 segs_out:17572 segs_in:8725 data_segs_out:17570 unacked:112 delivered:17459 notsent:2085872 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:0 lastrcv:9700 lastack:0 pacing_rate 26588600bps delivery_rate 21414672bps busy:9700ms rwnd_limited:2704ms(27.9%) minrtt:60.259
1795948691.213
ESTAB 0 2014920 10.77.1.2:47676 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb2370816,f3320,w2085640,o0,bl0,d0) ts sack bbr wscale:7,10 rto:264 rtt:60.412/0.02 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:248 ssthresh:128 bytes_sent:26513623 bytes_acked:26351448 segs_out:18318 segs_in:9087 data_segs_out:18316 unacked:112 delivered:18205 notsent:1852744 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:162432 rcv_wnd:64512 lastsnd:0 lastrcv:10104 lastack:0 pacing_rate 26598000bps delivery_rate 21467112bps busy:10104ms rwnd_limited:2820ms(27.9%) minrtt:60.259
