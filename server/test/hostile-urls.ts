/** Spellings of hosts of this machine, of private networks and of metadata services of clouds, without DNS. */
export const privateHosts = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127。0。0。1',
  '0.0.0.0',
  'localhost',
  'LOCALHOST.',
  'any.localhost',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  '[fd00:ec2::254]',
  '169.254.169.254',
  '168.63.129.16',
  'metadata.google.internal',
  '10.0.0.1',
]

/** URLs that must not become a link. */
export const invalidUrls = [
  'javascript:alert(1)',
  'JaVaScRiPt://example.com/%0aalert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'ftp://example.com/',
  'gopher://example.com/',
  'blob:https://example.com/1',
  'unix:/var/run/docker.sock',
  '//example.com/',
  '/path',
  'https://',
  'http:///',
  'http://exa mple.com/',
]

/** Builds web addresses that Karvon never calls. `port`: a port on this machine that listens. */
export const buildForbiddenUrls = (port: number): string[] => [
  ...privateHosts.flatMap((host) => [`http://${host}/x`, `https://${host}:${port}/`]),
  `http://user:word@example.com/`,
  `http://user@127.0.0.1:${port}/`,
  'http://8.8.8.8:22/',
  `https://example.com:${port}/`,
  'http://{token}.example.com/',
]

/** Host names with their private addresses. */
export const privateNames: Record<string, string[][]> = {
  'loopback.example': [['127.0.0.1']],
  'mixed.example': [['8.8.8.8', '127.0.0.1']],
  'mapped.example': [['::ffff:127.0.0.1']],
  'nat64.example': [['64:ff9b::7f00:1']],
  'six.example': [['::1']],
  'metadata.example': [['169.254.169.254']],
}
