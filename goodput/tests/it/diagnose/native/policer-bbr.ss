1795583385.500527480
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795583386.508356634
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      192.168.138.31:46844 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:368 rtt:126.351/35.58 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 916811bps lastsnd:512 lastrcv:4 lastack:4 pacing_rate 1833616bps delivery_rate 183144bps delivered:4 app_limited busy:252ms rcv_space:14480 rcv_ssthresh:64088 minrtt:126.3 snd_wnd:65536
ESTAB 0      46336  192.168.138.31:46848 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f1920,w51328,o0,bl0,d0) bbr wscale:10,10 rto:380 rtt:126.33/47.383 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:11 bytes_sent:14517 bytes_acked:38 segs_out:13 segs_in:2 data_segs_out:11 bbr:(bw:91136bps,mrtt:126.325,pacing_gain:2.88672,cwnd_gain:2.88672) send 1008660bps lastsnd:4 lastrcv:256 lastack:132 pacing_rate 2620448bps delivery_rate 91664bps delivered:2 app_limited busy:128ms unacked:10 rcv_space:14480 rcv_ssthresh:64088 notsent:31856 minrtt:126.325 snd_wnd:65536
ESTAB 0      46336  192.168.138.31:46860 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f1920,w51328,o0,bl0,d0) bbr wscale:10,10 rto:380 rtt:126.28/47.36 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:11 bytes_sent:14517 bytes_acked:38 segs_out:13 segs_in:2 data_segs_out:11 bbr:(bw:91136bps,mrtt:126.277,pacing_gain:2.88672,cwnd_gain:2.88672) send 1009059bps lastsnd:4 lastrcv:132 lastack:4 pacing_rate 2620448bps delivery_rate 91712bps delivered:2 app_limited busy:132ms unacked:10 rcv_space:14480 rcv_ssthresh:64088 notsent:31856 minrtt:126.277 snd_wnd:65536
1795583387.495863216
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      192.168.138.31:46844 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:368 rtt:126.351/35.58 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 916811bps lastsnd:1440 lastrcv:932 lastack:932 pacing_rate 1833616bps delivery_rate 183144bps delivered:4 app_limited busy:252ms rcv_space:14480 rcv_ssthresh:64088 minrtt:126.3 snd_wnd:65536
ESTAB 0      805088 192.168.138.31:46848 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb940032,f3040,w885792,o0,bl0,d0) bbr wscale:10,10 rto:348 rtt:130.58/4.831 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:33 bytes_sent:466293 bytes_retrans:85432 bytes_acked:182486 segs_out:325 segs_in:142 data_segs_out:323 bbr:(bw:4552200bps,mrtt:126.325,pacing_gain:2.88672,cwnd_gain:2.88672) send 2927493bps lastrcv:1184 pacing_rate 13009520bps delivery_rate 1452264bps delivered:167 busy:1056ms unacked:137 retrans:33/59 lost:98 sacked:39 rcv_space:14480 rcv_ssthresh:64088 notsent:606712 minrtt:126.325 snd_wnd:307200
ESTAB 0      502456 192.168.138.31:46860 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb836352,f328,w569016,o0,bl0,d0) bbr wscale:10,10 rto:348 rtt:130.447/4.812 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:33 bytes_sent:412717 bytes_retrans:81088 bytes_acked:159318 segs_out:288 segs_in:127 data_segs_out:286 bbr:(bw:3902480bps,mrtt:126.277,pacing_gain:2.88672,cwnd_gain:2.88672) send 2930478bps lastsnd:4 lastrcv:1060 lastack:4 pacing_rate 11152704bps delivery_rate 1452192bps delivered:149 busy:1060ms unacked:119 retrans:33/56 lost:82 sacked:37 rcv_space:14480 rcv_ssthresh:64088 notsent:330144 minrtt:126.277 snd_wnd:249856
1795583388.497639706
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      192.168.138.31:46844 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:368 rtt:126.351/35.58 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 916811bps lastsnd:2444 lastrcv:1936 lastack:1936 pacing_rate 1833616bps delivery_rate 183144bps delivered:4 app_limited busy:252ms rcv_space:14480 rcv_ssthresh:64088 minrtt:126.3 snd_wnd:65536
ESTAB 0      634224 192.168.138.31:46848 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb940032,f976,w666672,o0,bl0,d0) bbr wscale:10,10 rto:344 rtt:128.497/1.389 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:27 ssthresh:56 bytes_sent:755893 bytes_retrans:333040 bytes_acked:353350 segs_out:525 segs_in:242 data_segs_out:523 bbr:(bw:4552200bps,mrtt:126.325,pacing_gain:1,cwnd_gain:2) send 2434049bps lastsnd:64 lastrcv:2188 lastack:72 pacing_rate 4506680bps delivery_rate 1179352bps delivered:267 busy:2060ms unacked:48 retrans:15/230 lost:15 sacked:21 rcv_space:14480 rcv_ssthresh:64088 notsent:564720 minrtt:126.325 snd_wnd:421888
ESTAB 0      744272 192.168.138.31:46860 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb836352,f1392,w785040,o0,bl0,d0) bbr wscale:10,10 rto:344 rtt:128.978/0.379 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:45 ssthresh:50 bytes_sent:828293 bytes_retrans:348968 bytes_acked:243302 segs_out:575 segs_in:275 data_segs_out:573 bbr:(bw:3902480bps,mrtt:126.277,pacing_gain:1,cwnd_gain:2) send 4041620bps lastsnd:4 lastrcv:2064 lastack:8 pacing_rate 3863456bps delivery_rate 1860944bps delivered:297 busy:2064ms unacked:163 retrans:20/241 lost:20 sacked:127 rcv_space:14480 rcv_ssthresh:64088 notsent:508248 minrtt:126.277 snd_wnd:258048
1795583389.495844212
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      192.168.138.31:46844 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:368 rtt:126.351/35.58 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 916811bps lastsnd:3440 lastrcv:2932 lastack:2932 pacing_rate 1833616bps delivery_rate 183144bps delivered:4 app_limited busy:252ms rcv_space:14480 rcv_ssthresh:64088 minrtt:126.3 snd_wnd:65536
ESTAB 0      792056 192.168.138.31:46848 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb940032,f3912,w811192,o0,bl0,d0) bbr wscale:10,10 rto:344 rtt:138.591/0.924 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:36 ssthresh:56 bytes_sent:913725 bytes_retrans:376480 bytes_acked:521318 segs_out:634 segs_in:312 data_segs_out:632 bbr:(bw:1068832bps,mrtt:126.325,pacing_gain:1,cwnd_gain:2) send 3009027bps lastsnd:8 lastrcv:3184 pacing_rate 1058144bps delivery_rate 1057816bps delivered:362 busy:3056ms unacked:11 retrans:0/260 rcv_space:14480 rcv_ssthresh:64088 notsent:776128 minrtt:126.325 snd_wnd:449536
ESTAB 0      667528 192.168.138.31:46860 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb836352,f3960,w684168,o0,bl0,d0) bbr wscale:10,10 rto:332 rtt:128.391/0.702 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:48 ssthresh:50 bytes_sent:1074453 bytes_retrans:399648 bytes_acked:645846 segs_out:745 segs_in:426 data_segs_out:743 bbr:(bw:1760672bps,mrtt:126.277,pacing_gain:1,cwnd_gain:2) send 4330771bps lastrcv:3060 lastack:4 pacing_rate 1743064bps delivery_rate 1741440bps delivered:448 busy:3060ms rwnd_limited:48ms(1.6%) unacked:20 retrans:0/276 rcv_space:14480 rcv_ssthresh:64088 notsent:638568 minrtt:126.277 snd_wnd:540672
1795583390.495521241
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      192.168.138.31:46844 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:368 rtt:126.351/35.58 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 916811bps lastsnd:4440 lastrcv:3932 lastack:3932 pacing_rate 1833616bps delivery_rate 183144bps delivered:4 app_limited busy:252ms rcv_space:14480 rcv_ssthresh:64088 minrtt:126.3 snd_wnd:65536
ESTAB 0      661736 192.168.138.31:46848 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb940032,f3160,w680872,o0,bl0,d0) bbr wscale:10,10 rto:340 rtt:138.726/0.323 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:34 ssthresh:56 bytes_sent:1046941 bytes_retrans:376480 bytes_acked:651638 segs_out:726 segs_in:357 data_segs_out:724 bbr:(bw:1068832bps,mrtt:126.325,pacing_gain:1,cwnd_gain:2) send 2839093bps lastrcv:4184 lastack:16 pacing_rate 1058144bps delivery_rate 1058208bps delivered:452 busy:4056ms unacked:13 retrans:0/260 rcv_space:14480 rcv_ssthresh:64088 notsent:642912 minrtt:126.325 snd_wnd:449536
ESTAB 0      776128 192.168.138.31:46860 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb836352,f192,w794432,o0,bl0,d0) bbr wscale:10,10 rto:332 rtt:128.441/0.696 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:48 ssthresh:50 bytes_sent:1291653 bytes_retrans:399648 bytes_acked:863046 segs_out:895 segs_in:576 data_segs_out:893 bbr:(bw:1760672bps,mrtt:126.277,pacing_gain:1,cwnd_gain:2) send 4329085bps lastsnd:4 lastrcv:4060 lastack:8 pacing_rate 1743064bps delivery_rate 1742112bps delivered:598 busy:4060ms rwnd_limited:48ms(1.2%) unacked:20 retrans:0/276 rcv_space:14480 rcv_ssthresh:64088 notsent:747168 minrtt:126.277 snd_wnd:974848
1795583391.495684160
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      192.168.138.31:46844 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:368 rtt:126.351/35.58 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 916811bps lastsnd:5440 lastrcv:4932 lastack:4932 pacing_rate 1833616bps delivery_rate 183144bps delivered:4 app_limited busy:252ms rcv_space:14480 rcv_ssthresh:64088 minrtt:126.3 snd_wnd:65536
ESTAB 0      855768 192.168.138.31:46848 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb940032,f3240,w877400,o0,bl0,d0) bbr wscale:10,10 rto:340 rtt:138.813/0.418 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:34 ssthresh:56 bytes_sent:1178709 bytes_retrans:376480 bytes_acked:783406 segs_out:817 segs_in:403 data_segs_out:815 bbr:(bw:1068832bps,mrtt:126.325,pacing_gain:1,cwnd_gain:2) send 2837314bps lastsnd:4 lastrcv:5184 lastack:20 pacing_rate 1058144bps delivery_rate 1058040bps delivered:543 busy:5056ms unacked:13 retrans:0/260 rcv_space:14480 rcv_ssthresh:64088 notsent:836944 minrtt:126.325 snd_wnd:449536
ESTAB 0      558928 192.168.138.31:46860 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb836352,f2800,w574736,o0,bl0,d0) bbr wscale:10,10 rto:332 rtt:129.063/0.129 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:48 ssthresh:50 bytes_sent:1508853 bytes_retrans:399648 bytes_acked:1080246 segs_out:1045 segs_in:665 data_segs_out:1043 bbr:(bw:1760672bps,mrtt:126.277,pacing_gain:1,cwnd_gain:2) send 4308222bps lastsnd:4 lastrcv:5060 lastack:8 pacing_rate 1743064bps delivery_rate 1742872bps delivered:748 busy:5060ms rwnd_limited:48ms(0.9%) unacked:20 retrans:0/276 rcv_space:14480 rcv_ssthresh:64088 notsent:529968 minrtt:126.277 snd_wnd:1051648
1795583392.495529825
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      192.168.138.31:46844 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:368 rtt:126.351/35.58 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 916811bps lastsnd:6440 lastrcv:5932 lastack:5932 pacing_rate 1833616bps delivery_rate 183144bps delivered:4 app_limited busy:252ms rcv_space:14480 rcv_ssthresh:64088 minrtt:126.3 snd_wnd:65536
ESTAB 0      722552 192.168.138.31:46848 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb940032,f3784,w741688,o0,bl0,d0) bbr wscale:10,10 rto:340 rtt:138.732/0.274 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:32 ssthresh:56 bytes_sent:1310477 bytes_retrans:376480 bytes_acked:916622 segs_out:908 segs_in:449 data_segs_out:906 bbr:(bw:1068832bps,mrtt:126.325,pacing_gain:1,cwnd_gain:2) send 2671972bps lastsnd:8 lastrcv:6184 lastack:12 pacing_rate 1058144bps delivery_rate 1053360bps delivered:635 busy:6056ms unacked:12 retrans:0/260 rcv_space:14480 rcv_ssthresh:64088 notsent:705176 minrtt:126.325 snd_wnd:449536
ESTAB 0      667528 192.168.138.31:46860 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb836352,f3960,w684168,o0,bl0,d0) bbr wscale:10,10 rto:332 rtt:129.012/0.1 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:48 ssthresh:50 bytes_sent:1726053 bytes_retrans:399648 bytes_acked:1297446 segs_out:1195 segs_in:740 data_segs_out:1193 bbr:(bw:1760672bps,mrtt:126.277,pacing_gain:1,cwnd_gain:2) send 4309925bps lastsnd:8 lastrcv:6060 lastack:12 pacing_rate 1743064bps delivery_rate 1743024bps delivered:898 busy:6060ms rwnd_limited:48ms(0.8%) unacked:20 retrans:0/276 rcv_space:14480 rcv_ssthresh:64088 notsent:638568 minrtt:126.277 snd_wnd:1051648
1795583393.495544244
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      192.168.138.31:46844 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:368 rtt:126.351/35.58 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 916811bps lastsnd:7444 lastrcv:6936 lastack:6936 pacing_rate 1833616bps delivery_rate 183144bps delivered:4 app_limited busy:252ms rcv_space:14480 rcv_ssthresh:64088 minrtt:126.3 snd_wnd:65536
ESTAB 0      916584 192.168.138.31:46848 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb940032,f3032,w939048,o0,bl0,d0) bbr wscale:10,10 rto:340 rtt:138.808/0.44 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:34 ssthresh:56 bytes_sent:1443693 bytes_retrans:376480 bytes_acked:1048390 segs_out:1000 segs_in:495 data_segs_out:998 bbr:(bw:1068832bps,mrtt:126.325,pacing_gain:1,cwnd_gain:2) send 2837416bps lastsnd:4 lastrcv:7188 lastack:20 pacing_rate 1058144bps delivery_rate 1049032bps delivered:726 busy:7060ms unacked:13 retrans:0/260 rcv_space:14480 rcv_ssthresh:64088 notsent:897760 minrtt:126.325 snd_wnd:449536
ESTAB 0      773232 192.168.138.31:46860 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb836352,f3088,w791536,o0,bl0,d0) bbr wscale:10,10 rto:332 rtt:129.204/0.284 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:50 ssthresh:50 bytes_sent:1946149 bytes_retrans:399648 bytes_acked:1517542 segs_out:1347 segs_in:816 data_segs_out:1345 bbr:(bw:1760672bps,mrtt:126.277,pacing_gain:1,cwnd_gain:2) send 4482833bps lastsnd:4 lastrcv:7064 lastack:8 pacing_rate 1743064bps delivery_rate 1736144bps delivered:1050 busy:7064ms rwnd_limited:48ms(0.7%) unacked:20 retrans:0/276 rcv_space:14480 rcv_ssthresh:64088 notsent:744272 minrtt:126.277 snd_wnd:1051648
1795583394.496220385
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      192.168.138.31:46844 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:368 rtt:126.351/35.58 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 916811bps lastsnd:8444 lastrcv:7936 lastack:7936 pacing_rate 1833616bps delivery_rate 183144bps delivered:4 app_limited busy:252ms rcv_space:14480 rcv_ssthresh:64088 minrtt:126.3 snd_wnd:65536
ESTAB 0      783368 192.168.138.31:46848 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb940032,f3576,w803336,o0,bl0,d0) bbr wscale:10,10 rto:340 rtt:138.859/0.506 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:32 ssthresh:56 bytes_sent:1575461 bytes_retrans:376480 bytes_acked:1181606 segs_out:1091 segs_in:541 data_segs_out:1089 bbr:(bw:1068832bps,mrtt:126.325,pacing_gain:1,cwnd_gain:2) send 2669528bps lastsnd:8 lastrcv:8188 lastack:12 pacing_rate 1058144bps delivery_rate 1058272bps delivered:818 busy:8060ms unacked:12 retrans:0/260 rcv_space:14480 rcv_ssthresh:64088 notsent:765992 minrtt:126.325 snd_wnd:449536
ESTAB 0      556032 192.168.138.31:46860 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb836352,f1600,w571840,o0,bl0,d0) bbr wscale:10,10 rto:332 rtt:129.075/0.098 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:50 ssthresh:50 bytes_sent:2163349 bytes_retrans:399648 bytes_acked:1734742 segs_out:1497 segs_in:891 data_segs_out:1495 bbr:(bw:1760672bps,mrtt:126.277,pacing_gain:1,cwnd_gain:2) send 4487314bps lastsnd:8 lastrcv:8064 lastack:12 pacing_rate 1743064bps delivery_rate 1743432bps delivered:1200 busy:8064ms rwnd_limited:48ms(0.6%) unacked:20 retrans:0/276 rcv_space:14480 rcv_ssthresh:64088 notsent:527072 minrtt:126.277 snd_wnd:1051648
1795583395.495849364
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      192.168.138.31:46844 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:368 rtt:126.351/35.58 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 916811bps lastsnd:9444 lastrcv:8936 lastack:8936 pacing_rate 1833616bps delivery_rate 183144bps delivered:4 app_limited busy:252ms rcv_space:14480 rcv_ssthresh:64088 minrtt:126.3 snd_wnd:65536
ESTAB 0      651600 192.168.138.31:46848 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb940032,f1840,w669904,o0,bl0,d0) bbr wscale:10,10 rto:340 rtt:137.669/0.388 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:30 ssthresh:56 bytes_sent:1707229 bytes_retrans:376480 bytes_acked:1313374 segs_out:1182 segs_in:587 data_segs_out:1180 bbr:(bw:1057784bps,mrtt:126.325,pacing_gain:1,cwnd_gain:2) send 2524316bps lastsnd:8 lastrcv:9188 lastack:12 pacing_rate 1047200bps delivery_rate 1028496bps delivered:909 busy:9060ms unacked:12 retrans:0/260 rcv_space:14480 rcv_ssthresh:64088 notsent:634224 minrtt:126.325 snd_wnd:449536
ESTAB 0      664632 192.168.138.31:46860 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb836352,f2760,w681272,o0,bl0,d0) bbr wscale:10,10 rto:332 rtt:129.041/0.061 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:48 ssthresh:50 bytes_sent:2380549 bytes_retrans:399648 bytes_acked:1951942 segs_out:1647 segs_in:966 data_segs_out:1645 bbr:(bw:1743408bps,mrtt:126.277,pacing_gain:1,cwnd_gain:2) send 4308956bps lastsnd:8 lastrcv:9064 lastack:12 pacing_rate 1725976bps delivery_rate 1737888bps delivered:1350 busy:9064ms rwnd_limited:48ms(0.5%) unacked:20 retrans:0/276 rcv_space:14480 rcv_ssthresh:64088 notsent:635672 minrtt:126.277 snd_wnd:1051648
1795583396.496845929
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      192.168.138.31:46844 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:368 rtt:126.351/35.58 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 916811bps lastsnd:10444 lastrcv:9936 lastack:9936 pacing_rate 1833616bps delivery_rate 183144bps delivered:4 app_limited busy:252ms rcv_space:14480 rcv_ssthresh:64088 minrtt:126.3 snd_wnd:65536
ESTAB 0      823912 192.168.138.31:46848 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb940032,f1432,w850536,o0,bl0,d0) bbr wscale:10,10 rto:332 rtt:128.985/1 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:4 ssthresh:56 bytes_sent:1896917 bytes_retrans:386616 bytes_acked:1466862 segs_out:1313 segs_in:655 data_segs_out:1311 bbr:(bw:2064472bps,mrtt:128,pacing_gain:1,cwnd_gain:1) send 359236bps lastsnd:72 lastrcv:10188 lastack:72 pacing_rate 2043824bps delivery_rate 1055688bps delivered:1027 busy:10060ms unacked:30 retrans:3/267 lost:17 sacked:12 rcv_space:14480 rcv_ssthresh:64088 notsent:780472 minrtt:126.325 snd_wnd:443392
ESTAB 0      750064 192.168.138.31:46860 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb836352,f3280,w770864,o0,bl0,d0) bbr wscale:10,10 rto:328 rtt:127.908/0.28 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:4 ssthresh:50 bytes_sent:2652773 bytes_retrans:427160 bytes_acked:2192310 segs_out:1835 segs_in:1071 data_segs_out:1833 bbr:(bw:2728696bps,mrtt:127,pacing_gain:1,cwnd_gain:1) send 362260bps lastsnd:64 lastrcv:10064 pacing_rate 2701408bps delivery_rate 1769056bps delivered:1525 busy:10064ms rwnd_limited:48ms(0.5%) unacked:23 retrans:6/295 lost:6 sacked:9 rcv_space:14480 rcv_ssthresh:64088 notsent:716760 minrtt:126.277 snd_wnd:1038336
1795583397.495700529
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      0      192.168.138.31:46844 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:368 rtt:126.351/35.58 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:184 bytes_acked:185 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 916811bps lastsnd:11440 lastrcv:10932 lastack:10932 pacing_rate 1833616bps delivery_rate 183144bps delivered:4 app_limited busy:252ms rcv_space:14480 rcv_ssthresh:64088 minrtt:126.3 snd_wnd:65536
ESTAB 0      651600 192.168.138.31:46848 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb940032,f3312,w680720,o0,bl0,d0) bbr wscale:10,10 rto:328 rtt:127.613/0.503 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:29 ssthresh:56 bytes_sent:2154661 bytes_retrans:456120 bytes_acked:1639174 segs_out:1491 segs_in:741 data_segs_out:1489 bbr:(bw:2678984bps,mrtt:127,pacing_gain:1,cwnd_gain:2) send 2632459bps lastrcv:11184 lastack:8 pacing_rate 2652192bps delivery_rate 1260520bps delivered:1147 busy:11056ms unacked:41 retrans:10/315 lost:10 sacked:13 rcv_space:14480 rcv_ssthresh:64088 notsent:592232 minrtt:126.325 snd_wnd:439296
ESTAB 0      558928 192.168.138.31:46860 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb836352,f1712,w592208,o0,bl0,d0) bbr wscale:10,10 rto:332 rtt:128.729/0.246 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:39 ssthresh:50 bytes_sent:2932237 bytes_retrans:477840 bytes_acked:2383446 segs_out:2028 segs_in:1166 data_segs_out:2026 bbr:(bw:3462656bps,mrtt:127,pacing_gain:1,cwnd_gain:2) send 3509512bps lastrcv:11060 lastack:4 pacing_rate 3428024bps delivery_rate 1632832bps delivered:1659 busy:11060ms rwnd_limited:48ms(0.4%) unacked:49 retrans:7/330 lost:7 sacked:11 rcv_space:14480 rcv_ssthresh:64088 notsent:487976 minrtt:126.277 snd_wnd:1045504
1795583398.496141782
State Recv-Q Send-Q  Local Address:Port    Peer Address:PortProcess
ESTAB 0      1      192.168.138.31:46844 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb46080,f3263,w833,o0,bl0,d0) cubic wscale:10,10 rto:368 rtt:126.351/35.58 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:185 bytes_acked:185 bytes_received:4 segs_out:10 segs_in:7 data_segs_out:4 data_segs_in:4 send 916811bps lastsnd:128 lastrcv:12128 lastack:12128 pacing_rate 1833616bps delivery_rate 183144bps delivered:4 app_limited busy:380ms unacked:1 rcv_space:14480 rcv_ssthresh:64088 minrtt:126.3 snd_wnd:65536
ESTAB 0      786264 192.168.138.31:46848 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb940032,f2280,w808728,o0,bl0,d0) bbr wscale:10,10 rto:336 rtt:134.93/3.737 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:36 ssthresh:56 bytes_sent:2425437 bytes_retrans:573408 bytes_acked:1830310 segs_out:1678 segs_in:850 data_segs_out:1676 bbr:(bw:1211064bps,mrtt:127,pacing_gain:1,cwnd_gain:2) send 3090669bps lastsnd:4 lastrcv:12380 lastack:20 pacing_rate 1198952bps delivery_rate 1198888bps delivered:1266 busy:12252ms unacked:15 retrans:0/396 rcv_space:14480 rcv_ssthresh:64088 notsent:764544 minrtt:126.325 snd_wnd:449536
ESTAB 0      612504 192.168.138.31:46860 192.168.136.32:5201
	 skmem:(r0,rb131072,t0,tb836352,f3304,w627480,o0,bl0,d0) bbr wscale:10,10 rto:332 rtt:128.955/0.313 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:50 ssthresh:50 bytes_sent:3339125 bytes_retrans:657392 bytes_acked:2655670 segs_out:2309 segs_in:1330 data_segs_out:2307 bbr:(bw:1668144bps,mrtt:127,pacing_gain:1,cwnd_gain:2) send 4491489bps lastsnd:4 lastrcv:12256 pacing_rate 1651464bps delivery_rate 1651304bps delivered:1836 busy:12256ms rwnd_limited:48ms(0.4%) unacked:18 retrans:0/454 rcv_space:14480 rcv_ssthresh:64088 notsent:586440 minrtt:126.277 snd_wnd:1051648
1795583407.967309001
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795583408.067901595
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795583408.085139999
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795583408.101515112
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795583408.111570746
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795583408.119662043
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795583408.132876169
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795583408.140275266
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795583408.147696180
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
1795583408.631830843
State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
