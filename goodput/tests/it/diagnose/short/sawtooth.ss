1795952469.661
ESTAB 0 76791 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb69120,f2569,w83447,o0,bl0,d0) ts sack cubic wscale:10,10 rto:232 rtt:30.427/15.213 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:13079 bytes_acked:1 segs_out:12 segs_in:1 data_segs_out:10 unacked:10 delivered:1 notsent:63712 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:65160 rcv_wnd:64512 lastsnd:4 lastrcv:4 lastack:4 pacing_rate 10878424bps app_limited busy:4ms minrtt:30.427
1795952470.166
ESTAB 0 364896 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f3296,w394016,o0,bl0,d0) ts sack cubic wscale:10,10 rto:236 rtt:35.661/0.101 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 ssthresh:56 bytes_sent:1190303 bytes_retrans:86880 bytes_acked:1017992 segs_out:825 segs_in:580 data_segs_out:823 unacked:59 delivered:705 notsent:279464 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1166336 rcv_wnd:64512 lastsnd:0 lastrcv:508 lastack:0 pacing_rate 22998432bps delivery_rate 19139600bps busy:508ms retrans:0/60 minrtt:30.241
1795952470.672
ESTAB 0 328696 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f968,w359480,o0,bl0,d0) ts sack cubic wscale:10,10 rto:240 rtt:38.877/0.102 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:66 ssthresh:56 bytes_sent:2409519 bytes_retrans:86880 bytes_acked:2227072 segs_out:1667 segs_in:1000 data_segs_out:1665 unacked:66 delivered:1540 notsent:233128 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1166336 rcv_wnd:64512 lastsnd:0 lastrcv:1012 lastack:0 pacing_rate 23598472bps delivery_rate 18809960bps busy:1012ms retrans:0/60 minrtt:30.241
1795952471.177
ESTAB 0 503904 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f288,w532192,o0,bl0,d0) ts sack cubic wscale:10,10 rto:232 rtt:31.489/0.085 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:52 ssthresh:49 bytes_sent:3583847 bytes_retrans:88328 bytes_acked:3420224 segs_out:2478 segs_in:1420 data_segs_out:2476 unacked:52 delivered:2364 notsent:428608 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:4 lastrcv:1520 lastack:4 pacing_rate 22955000bps delivery_rate 18461416bps busy:1520ms retrans:0/61 minrtt:30.241
1795952471.683
ESTAB 0 469152 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f1440,w498272,o0,bl0,d0) ts sack cubic wscale:10,10 rto:236 rtt:35.108/0.012 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:59 ssthresh:49 bytes_sent:4800167 bytes_retrans:88328 bytes_acked:4627856 segs_out:3318 segs_in:1842 data_segs_out:3316 unacked:58 delivered:3198 notsent:385168 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:0 lastrcv:2024 lastack:0 pacing_rate 23360104bps delivery_rate 19125304bps busy:2024ms retrans:0/61 minrtt:30.241
1795952472.189
ESTAB 0 430056 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f344,w462504,o0,bl0,d0) ts sack cubic wscale:10,10 rto:240 rtt:38.747/0.012 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:66 ssthresh:49 bytes_sent:6022279 bytes_retrans:88328 bytes_acked:5839832 segs_out:4162 segs_in:2262 data_segs_out:4160 unacked:65 delivered:4035 notsent:335936 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:4 lastrcv:2532 lastack:4 pacing_rate 23677800bps delivery_rate 19127344bps busy:2532ms retrans:0/61 minrtt:30.241
1795952472.695
ESTAB 0 470600 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f824,w498888,o0,bl0,d0) ts sack cubic wscale:10,10 rto:232 rtt:31.506/0.197 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:52 ssthresh:49 bytes_sent:7202399 bytes_retrans:89776 bytes_acked:7037328 segs_out:4977 segs_in:2683 data_segs_out:4975 unacked:52 delivered:4862 notsent:395304 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:0 lastrcv:3036 lastack:0 pacing_rate 22942616bps delivery_rate 18844784bps busy:3036ms retrans:0/62 minrtt:30.241
1795952473.200
ESTAB 0 440192 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f1728,w469312,o0,bl0,d0) ts sack cubic wscale:10,10 rto:236 rtt:35.115/0.012 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:58 ssthresh:49 bytes_sent:8414375 bytes_retrans:89776 bytes_acked:8240616 segs_out:5814 segs_in:3103 data_segs_out:5812 unacked:58 delivered:5693 notsent:356208 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:0 lastrcv:3540 lastack:0 pacing_rate 22959680bps delivery_rate 19129112bps busy:3540ms retrans:0/62 minrtt:30.241
1795952473.706
ESTAB 0 401096 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f2296,w431880,o0,bl0,d0) ts sack cubic wscale:10,10 rto:240 rtt:39.331/0.064 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:65 ssthresh:49 bytes_sent:9635039 bytes_retrans:89776 bytes_acked:9452592 segs_out:6657 segs_in:3525 data_segs_out:6655 unacked:64 delivered:6530 notsent:308424 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:0 lastrcv:4048 lastack:0 pacing_rate 22972944bps delivery_rate 19134456bps busy:4048ms retrans:0/62 minrtt:30.241
1795952474.212
ESTAB 0 377928 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f1784,w403720,o0,bl0,d0) ts sack cubic wscale:10,10 rto:232 rtt:31.515/0.112 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:51 ssthresh:49 bytes_sent:10813711 bytes_retrans:91224 bytes_acked:10648640 segs_out:7471 segs_in:3945 data_segs_out:7469 unacked:51 delivered:7356 notsent:304080 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:0 lastrcv:4552 lastack:0 pacing_rate 22494808bps delivery_rate 18432352bps busy:4552ms retrans:0/63 minrtt:30.241
1795952474.717
ESTAB 0 344624 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f656,w372080,o0,bl0,d0) ts sack cubic wscale:10,10 rto:236 rtt:35.001/0.218 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:58 ssthresh:49 bytes_sent:12030031 bytes_retrans:91224 bytes_acked:11854824 segs_out:8311 segs_in:4368 data_segs_out:8309 unacked:58 delivered:8189 notsent:260640 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:4 lastrcv:5060 lastack:4 pacing_rate 23034864bps delivery_rate 19128568bps busy:5060ms retrans:0/63 minrtt:30.241
1795952475.223
ESTAB 0 503904 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f224,w536352,o0,bl0,d0) ts sack cubic wscale:10,10 rto:240 rtt:39.142/0.321 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:65 ssthresh:49 bytes_sent:13247799 bytes_retrans:91224 bytes_acked:13063904 segs_out:9152 segs_in:4788 data_segs_out:9150 unacked:64 delivered:9024 notsent:411232 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:0 lastrcv:5564 lastack:0 pacing_rate 23083432bps delivery_rate 19142720bps busy:5564ms retrans:0/63 minrtt:30.241
1795952475.728
ESTAB 0 477840 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f2608,w505296,o0,bl0,d0) ts sack cubic wscale:10,10 rto:232 rtt:31.527/0.228 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:50 ssthresh:49 bytes_sent:14427919 bytes_retrans:92672 bytes_acked:14262848 segs_out:9967 segs_in:5211 data_segs_out:9965 unacked:50 delivered:9852 notsent:405440 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:0 lastrcv:6068 lastack:0 pacing_rate 22045336bps delivery_rate 18072336bps busy:6068ms retrans:0/64 minrtt:30.241
1795952476.234
ESTAB 0 447432 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f2680,w476552,o0,bl0,d0) ts sack cubic wscale:10,10 rto:236 rtt:33.948/0.041 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:58 ssthresh:49 bytes_sent:15642791 bytes_retrans:92672 bytes_acked:15466136 segs_out:10806 segs_in:5633 data_segs_out:10804 unacked:58 delivered:10683 notsent:363448 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:0 lastrcv:6576 lastack:0 pacing_rate 23749272bps delivery_rate 18809552bps busy:6576ms retrans:0/64 minrtt:30.241
1795952476.739
ESTAB 0 411232 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f352,w442016,o0,bl0,d0) ts sack cubic wscale:10,10 rto:240 rtt:38.744/0.01 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:64 ssthresh:49 bytes_sent:16860559 bytes_retrans:92672 bytes_acked:16675216 segs_out:11647 segs_in:6052 data_segs_out:11645 unacked:64 delivered:11518 notsent:318560 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:0 lastrcv:7080 lastack:0 pacing_rate 22961776bps delivery_rate 19103688bps busy:7080ms retrans:0/64 minrtt:30.241
1795952477.245
ESTAB 0 448880 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f3728,w475504,o0,bl0,d0) ts sack cubic wscale:10,10 rto:232 rtt:31.991/0.9 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:50 ssthresh:49 bytes_sent:18042127 bytes_retrans:94120 bytes_acked:17875608 segs_out:12463 segs_in:6473 data_segs_out:12461 unacked:50 delivered:12347 notsent:376480 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:0 lastrcv:7584 lastack:0 pacing_rate 21725600bps delivery_rate 15379112bps busy:7584ms retrans:0/65 minrtt:30.241
1795952477.754
ESTAB 0 411232 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f2016,w440352,o0,bl0,d0) ts sack cubic wscale:10,10 rto:236 rtt:34.05/0.109 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:58 ssthresh:49 bytes_sent:19264239 bytes_retrans:94120 bytes_acked:19086136 segs_out:13307 segs_in:6894 data_segs_out:13305 unacked:58 delivered:13183 notsent:327248 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:0 lastrcv:8096 lastack:0 pacing_rate 23677872bps delivery_rate 18767112bps busy:8096ms retrans:0/65 minrtt:30.241
1795952478.263
ESTAB 0 366344 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f184,w397128,o0,bl0,d0) ts sack cubic wscale:10,10 rto:240 rtt:38.718/0.017 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:65 ssthresh:49 bytes_sent:20490695 bytes_retrans:94120 bytes_acked:20303904 segs_out:14154 segs_in:7316 data_segs_out:14152 unacked:64 delivered:14024 notsent:273672 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:0 lastrcv:8604 lastack:0 pacing_rate 23336288bps delivery_rate 19138208bps busy:8604ms retrans:0/65 minrtt:30.241
1795952478.771
ESTAB 0 522728 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f344,w548520,o0,bl0,d0) ts sack cubic wscale:10,10 rto:236 rtt:34.375/1.586 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:49 ssthresh:49 bytes_sent:21680951 bytes_retrans:95568 bytes_acked:21515880 segs_out:14976 segs_in:7741 data_segs_out:14974 unacked:48 delivered:14861 notsent:453224 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:0 lastrcv:9112 lastack:0 pacing_rate 19814664bps delivery_rate 14187208bps busy:9112ms retrans:0/66 minrtt:30.241
1795952479.280
ESTAB 0 489424 10.77.1.2:46190 10.77.0.2:5201
	skmem:(r0,rb131072,t0,tb539136,f816,w519376,o0,bl0,d0) ts sack cubic wscale:10,10 rto:236 rtt:34.325/0.246 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:57 ssthresh:49 bytes_sent:22900167 bytes_retrans:95568 bytes_acked:22722064 segs_out:15818 segs_in:8165 data_segs_out:15816 unacked:57 delivered:15694 notsent:406888 rcv_space:14480 rcv_ssthresh:64088 snd_wnd:1168384 rcv_wnd:64512 lastsnd:0 lastrcv:9620 lastack:0 pacing_rate 23083624bps delivery_rate 19089536bps busy:9620ms retrans:0/66 minrtt:30.241
