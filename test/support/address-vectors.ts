// For tests: addresses that must be refused. Each of them has bypassed a real filter.

/** Refused on saving. */
export const literals: readonly string[] = `
https://127.0.0.1/ https://127.0.0.1:8443/ https://127.1/ https://127.0.1/ https://0x7f000001/ https://0x7f.1/ https://0x7f.0x0.0x0.0x1/
https://0177.0.0.1/ https://017700000001/ https://2130706433/ https://0/ https://0.0.0.0/ https://0x0/ https://127.255.255.254/
https://%31%32%37.0.0.1/ https://１２７.０.０.１/ https://①②⑦.⓪.⓪.①/ https://127。0。0。1/ https://127．0．0．1/ https://127.0.0.1./
https://10.0.0.1/ https://10.255.255.255/ https://0xa000001/ https://012.0.0.1/ https://167772161/ https://172.16.0.1/ https://172.31.255.255/
https://192.168.0.1/ https://192.168.255.255/ https://3232235521/ https://169.254.169.254/ https://169.254.0.1/ https://2852039166/
https://0xa9fea9fe/ https://0251.0376.0251.0376/ https://169.254.43518/ https://100.64.0.1/ https://100.127.255.255/ https://100.100.100.200/
https://192.0.0.1/ https://192.0.0.192/ https://192.0.2.1/ https://192.31.196.1/ https://192.52.193.1/ https://192.88.99.1/ https://192.175.48.1/
https://198.18.0.1/ https://198.19.255.255/ https://198.51.100.1/ https://203.0.113.1/ https://224.0.0.1/ https://239.255.255.255/
https://240.0.0.1/ https://255.255.255.255/ https://4294967295/ https://0.1.2.3/
https://[::]/ https://[::1]/ https://[0:0:0:0:0:0:0:1]/ https://[::127.0.0.1]/ https://[::7f00:1]/ https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/
https://[0:0:0:0:0:ffff:127.0.0.1]/ https://[::ffff:10.0.0.1]/ https://[::ffff:169.254.169.254]/ https://[::ffff:a9fe:a9fe]/ https://[::ffff:192.168.1.1]/
https://[::ffff:100.64.0.1]/ https://[::ffff:0.0.0.0]/ https://[::ffff:0:127.0.0.1]/ https://[64:ff9b::127.0.0.1]/ https://[64:ff9b::7f00:1]/
https://[64:ff9b::8.8.8.8]/ https://[64:ff9b:1::1]/ https://[2002:7f00:1::]/ https://[2002:a00:1::1]/ https://[2002:808:808::1]/
https://[2001::1]/ https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/ https://[2001:2::1]/ https://[2001:10::1]/ https://[2001:20::1]/ https://[2001:db8::1]/
https://[3fff::1]/ https://[2620:4f:8000::1]/ https://[fc00::1]/ https://[fd00::1]/ https://[fd00:ec2::254]/ https://[fdff:ffff::1]/ https://[fe80::1]/ https://[febf::1]/
https://[fe80::1%25eth0]/ https://[fec0::1]/ https://[ff02::1]/ https://[ff0e::1]/ https://[100::1]/ https://[5f00::1]/ https://[4000::1]/ https://[e000::1]/
https://localhost/ https://localhost./ https://LOCALHOST/ https://ｌｏｃａｌｈｏｓｔ/ https://shop.localhost/ https://localhost.localdomain/
https://printer.local/ https://metadata.google.internal/ https://metadata/ https://intranet/ https://router.lan/ https://nas.home/ https://x.home.arpa/
https://db.corp/ https://x.test/ https://x.invalid/ https://x.example/ https://hidden.onion/ https://1.0.0.127.in-addr.arpa/
http://shop.example.com/ http://93.184.216.34/ ftp://shop.example.com/ file:///etc/passwd gopher://shop.example.com/ ws://shop.example.com/
wss://shop.example.com/ data:text/plain,TRUE javascript:alert(1) blob:https://shop.example.com/1 dict://shop.example.com:11211/ ldap://shop.example.com/
https://user@shop.example.com/ https://user:pass@shop.example.com/ https://@shop.example.com/ https://:@shop.example.com/ https://shop.example.com@127.0.0.1/
https://127.0.0.1#@shop.example.com/ https://127.0.0.1\\@shop.example.com/ https:\\\\127.0.0.1/ https:127.0.0.1 https:/127.0.0.1/ https:///127.0.0.1/
https:// https:///hook https://?x https://:443/ https://./ https://../ https://shop..example.com/ shop.example.com/hook //shop.example.com/hook /hook
https://shop.example.com:22/ https://shop.example.com:25/ https://shop.example.com:80/ https://shop.example.com:5432/ https://shop.example.com:6379/
https://shop.example.com:0/ https://shop.example.com:65536/ https://shop.example.com:8080/ https://1.2.3.4.5/ https://1.2.3.256/ https://[::g]/ https://[1.2.3.4]/
`
  .trim()
  .split(/\s+/);

export const odd: readonly string[] = [
  '',
  ' ',
  'https://shop.example.com/a b',
  'https://shop.exam\nple.com/',
  'https://127.0.0\t.1/',
  ' https://shop.example.com/',
  'https://shop.example.com/\u0000',
  `https://shop.example.com/${'a'.repeat(2_048)}`,
];

/** Names that look harmless and resolve to internal addresses: refused on sending. */
export const names: readonly (readonly [string, readonly string[]])[] = [
  ['loopback.example.com', ['127.0.0.1']],
  ['v6.example.com', ['::1']],
  ['half.example.com', ['93.184.216.34', 'fd00::1']],
  ['half4.example.com', ['2606:2800:220:1::1', '10.0.0.1']],
  ['mapped.example.com', ['::ffff:127.0.0.1']],
  ['mapped-hex.example.com', ['::ffff:7f00:1']],
  ['metadata.example.com', ['169.254.169.254']],
  ['carrier.example.com', ['100.64.0.1']],
  ['nat64.example.com', ['64:ff9b::a00:1']],
  ['sixtofour.example.com', ['2002:7f00:1::']],
  ['teredo.example.com', ['2001::1']],
  ['link.example.com', ['fe80::1']],
  ['zone.example.com', ['fe80::1%eth0']],
  ['any.example.com', ['0.0.0.0']],
  ['any6.example.com', ['::']],
  ['benchmark.example.com', ['198.18.0.1']],
  ['reserved.example.com', ['240.0.0.1']],
  ['multicast.example.com', ['224.0.0.1']],
  ['empty.example.com', []],
  ['nonsense.example.com', ['not an address']],
  ['last.example.com', ['93.184.216.34', '93.184.216.35', '192.168.0.1']],
];
