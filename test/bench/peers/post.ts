/** A bare loop that posts a body over and over with undici, so many at once. */
import { Agent, request } from 'undici'
import { answer } from '../parts/child.ts'

const agent = new Agent({ keepAliveTimeout: 4_000 })

answer('post', async ({ url, body, count, atOnce }: { url: string; body: string; count: number; atOnce: number }) => {
  let left = count
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const reply = await request(url, {
          method: 'POST',
          headers: { authorization: 'Bearer EAAbench', 'content-type': 'application/json' },
          body,
          dispatcher: agent,
        })
        await reply.body.json()
      }
    }),
  )
  return count
})

console.log('ready: http://127.0.0.1:1')
setInterval(() => undefined, 60_000)
