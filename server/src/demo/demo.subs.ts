/** The prefixes of campaigns by the channel of a stream. */
const prefixes: Readonly<Record<string, string>> = {
  Reels: 'ig_reels',
  Telegram: 'tg_uz',
  TikTok: 'tt_uz',
  Instagram: 'ig_uz',
  YouTube: 'yt_uz',
  Facebook: 'fb_uz',
}
const placements = ['feed', 'stories', 'search', 'bot'] as const
/** The campaign that brings many leads which are cancelled. */
const weakCampaign = 17

interface DemoLead {
  /** The number of the lead among those of its source. */
  number: number
  /** The name of its stream, which begins with the channel. */
  stream: string
  isCancelled: boolean
}

/** The campaign, the creative and the placement of a lead, such as `fb_uz_17`, `video_3` and `feed`. One lead in 25 has none. */
export function createSubs({ number, stream, isCancelled }: DemoLead): Record<string, string> | null {
  const mixedBits = Math.imul(number + 1, 0x9e3779b1) >>> 0
  if (mixedBits % 25 === 0) return null
  const isWeak = isCancelled ? mixedBits % 2 === 0 : mixedBits % 9 === 0
  const campaign = isWeak ? weakCampaign : 11 + ((mixedBits >>> 8) % 6)
  const prefix = prefixes[stream.split(' ')[0] ?? ''] ?? 'web_uz'
  return {
    sub1: `${prefix}_${campaign}`,
    sub2: `${mixedBits % 3 === 0 ? 'photo' : 'video'}_${1 + ((mixedBits >>> 12) % 5)}`,
    sub3: placements[(mixedBits >>> 16) % placements.length] ?? 'feed',
  }
}
