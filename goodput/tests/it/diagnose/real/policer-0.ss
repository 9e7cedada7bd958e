$ sysctl net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.ipv4.tcp_congestion_control net.ipv4.tcp_window_scaling net.ipv4.tcp_mtu_probing net.ipv4.tcp_ecn
net.ipv4.tcp_rmem = 4096	131072	33554432
net.ipv4.tcp_wmem = 4096	16384	4194304
net.ipv4.tcp_congestion_control = cubic
net.ipv4.tcp_window_scaling = 1
net.ipv4.tcp_mtu_probing = 0
net.ipv4.tcp_ecn = 2
$ while :; do ss -tinm dst 10.0.0.2; sleep 1; done
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:44748     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:230 rtt:30/8.437 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3861333bps lastsnd:540 lastrcv:450 lastack:450 pacing_rate 7722632bps delivery_rate 772240bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:30 snd_wnd:65536
ESTAB 0      318560      10.0.0.1:44750     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb317952,f2080,w333792,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.248/0.024 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:24 ssthresh:23 bytes_sent:622677 bytes_retrans:98464 bytes_acked:489462 segs_out:433 segs_in:229 data_segs_out:431 send 9191219bps lastsnd:8 lastrcv:480 lastack:8 pacing_rate 11029232bps delivery_rate 9194864bps delivered:340 busy:480ms unacked:24 retrans:0/68 rcv_space:14480 rcv_ssthresh:64088 notsent:283808 minrtt:30 snd_wnd:345088
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:44748     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:230 rtt:30/8.437 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3861333bps lastsnd:1540 lastrcv:1450 lastack:1450 pacing_rate 7722632bps delivery_rate 772240bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:30 snd_wnd:65536
ESTAB 0      320008      10.0.0.1:44750     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb317952,f2040,w337928,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.651/0.451 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:21 ssthresh:21 bytes_sent:1801349 bytes_retrans:110048 bytes_acked:1660894 segs_out:1247 segs_in:650 data_segs_out:1245 send 7936576bps lastsnd:9 lastrcv:1480 lastack:9 pacing_rate 9523848bps delivery_rate 7844688bps delivered:1149 busy:1480ms unacked:21 retrans:0/76 rcv_space:14480 rcv_ssthresh:64088 notsent:289600 minrtt:30 snd_wnd:345088
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:44748     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:230 rtt:30/8.437 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3861333bps lastsnd:2540 lastrcv:2450 lastack:2450 pacing_rate 7722632bps delivery_rate 772240bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:30 snd_wnd:65536
ESTAB 0      212856      10.0.0.1:44750     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb317952,f392,w228984,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.333/0.187 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:27 ssthresh:21 bytes_sent:2966989 bytes_retrans:117288 bytes_acked:2810606 segs_out:2052 segs_in:1081 data_segs_out:2050 send 10311146bps lastsnd:1 lastrcv:2480 lastack:1 pacing_rate 12373016bps delivery_rate 9960776bps delivered:1943 busy:2480ms unacked:27 retrans:0/81 rcv_space:14480 rcv_ssthresh:64088 notsent:173760 minrtt:30 snd_wnd:347136
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:44748     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:230 rtt:30/8.437 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3861333bps lastsnd:3540 lastrcv:3450 lastack:3450 pacing_rate 7722632bps delivery_rate 772240bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:30 snd_wnd:65536
ESTAB 0      202720      10.0.0.1:44750     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb317952,f928,w216160,o0,bl0,d0) cubic wscale:10,10 rto:232 rtt:31.039/1.457 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:23 ssthresh:21 bytes_sent:4158693 bytes_retrans:131768 bytes_acked:3993622 segs_out:2875 segs_in:1514 data_segs_out:2873 send 8583782bps lastsnd:2 lastrcv:3480 lastack:2 pacing_rate 10300240bps delivery_rate 8737480bps delivered:2760 busy:3480ms unacked:23 retrans:0/91 rcv_space:14480 rcv_ssthresh:64088 notsent:169416 minrtt:30 snd_wnd:347136
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:44748     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:230 rtt:30/8.437 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3861333bps lastsnd:4540 lastrcv:4450 lastack:4450 pacing_rate 7722632bps delivery_rate 772240bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:30 snd_wnd:65536
ESTAB 0      315664      10.0.0.1:44750     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb317952,f2288,w333584,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.343/0.181 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:29 ssthresh:21 bytes_sent:5361981 bytes_retrans:136112 bytes_acked:5183878 segs_out:3706 segs_in:1954 data_segs_out:3704 send 11071285bps lastsnd:4 lastrcv:4480 lastack:4 pacing_rate 13285376bps delivery_rate 11110096bps delivered:3582 busy:4480ms unacked:29 retrans:0/94 rcv_space:14480 rcv_ssthresh:64088 notsent:273672 minrtt:30 snd_wnd:347136
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:44748     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:230 rtt:30/8.437 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3861333bps lastsnd:5540 lastrcv:5450 lastack:5450 pacing_rate 7722632bps delivery_rate 772240bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:30 snd_wnd:65536
ESTAB 0      220096      10.0.0.1:44750     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb317952,f3136,w234432,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.468/0.395 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:24 ssthresh:20 bytes_sent:6503005 bytes_retrans:146248 bytes_acked:6322006 segs_out:4494 segs_in:2376 data_segs_out:4492 send 9124852bps lastsnd:2 lastrcv:5480 lastack:2 pacing_rate 10949504bps delivery_rate 9194560bps delivered:4368 busy:5480ms unacked:24 retrans:0/101 rcv_space:14480 rcv_ssthresh:64088 notsent:185344 minrtt:30 snd_wnd:347136
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:44748     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:230 rtt:30/8.437 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3861333bps lastsnd:6540 lastrcv:6450 lastack:6450 pacing_rate 7722632bps delivery_rate 772240bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:30 snd_wnd:65536
ESTAB 0      211408      10.0.0.1:44750     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb317952,f432,w224848,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.757/0.566 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:21 ssthresh:20 bytes_sent:7691813 bytes_retrans:157832 bytes_acked:7503574 segs_out:5315 segs_in:2823 data_segs_out:5313 send 7909224bps lastsnd:5 lastrcv:6480 lastack:5 pacing_rate 9490792bps delivery_rate 7162712bps delivered:5184 busy:6480ms unacked:21 retrans:0/109 rcv_space:14480 rcv_ssthresh:64088 notsent:181000 minrtt:30 snd_wnd:347136
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:44748     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:230 rtt:30/8.437 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3861333bps lastsnd:7540 lastrcv:7450 lastack:7450 pacing_rate 7722632bps delivery_rate 772240bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:30 snd_wnd:65536
ESTAB 0      234576      10.0.0.1:44750     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb317952,f2352,w251600,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.521/0.462 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:27 ssthresh:21 bytes_sent:8856005 bytes_retrans:163624 bytes_acked:8653286 segs_out:6119 segs_in:3250 data_segs_out:6117 send 10247633bps lastsnd:1 lastrcv:7480 lastack:1 pacing_rate 12296856bps delivery_rate 9960776bps delivered:5978 busy:7480ms unacked:27 retrans:0/113 rcv_space:14480 rcv_ssthresh:64088 notsent:195480 minrtt:30 snd_wnd:347136
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:44748     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:230 rtt:30/8.437 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3861333bps lastsnd:8540 lastrcv:8450 lastack:8450 pacing_rate 7722632bps delivery_rate 772240bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:30 snd_wnd:65536
ESTAB 0      315664      10.0.0.1:44750     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb317952,f1776,w330000,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.41/0.296 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:22 ssthresh:20 bytes_sent:10017301 bytes_retrans:175208 bytes_acked:9810238 segs_out:6921 segs_in:3665 data_segs_out:6919 send 8380401bps lastsnd:3 lastrcv:8480 lastack:3 pacing_rate 10056232bps delivery_rate 8045240bps delivered:6777 busy:8480ms unacked:22 retrans:0/121 rcv_space:14480 rcv_ssthresh:64088 notsent:283808 minrtt:30 snd_wnd:347136
State Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
ESTAB 0      0           10.0.0.1:44748     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb46080,f0,w0,o0,bl0,d0) cubic wscale:10,10 rto:230 rtt:30/8.437 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 bytes_sent:165 bytes_acked:166 bytes_received:4 segs_out:9 segs_in:7 data_segs_out:3 data_segs_in:4 send 3861333bps lastsnd:9540 lastrcv:9450 lastack:9450 pacing_rate 7722632bps delivery_rate 772240bps delivered:4 app_limited busy:60ms rcv_space:14480 rcv_ssthresh:64088 minrtt:30 snd_wnd:65536
ESTAB 0      311320      10.0.0.1:44750     10.0.0.2:5201
	 skmem:(r0,rb131072,t0,tb317952,f2536,w329240,o0,bl0,d0) cubic wscale:10,10 rto:231 rtt:30.395/0.314 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:29 ssthresh:21 bytes_sent:11210453 bytes_retrans:181000 bytes_acked:10987462 segs_out:7745 segs_in:4092 data_segs_out:7743 send 11052344bps lastsnd:5 lastrcv:9480 lastack:5 pacing_rate 13262696bps delivery_rate 10343880bps delivered:7590 busy:9480ms unacked:29 retrans:0/125 rcv_space:14480 rcv_ssthresh:64088 notsent:269328 minrtt:30 snd_wnd:347136
