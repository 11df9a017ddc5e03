import t from 'tap'
import { newSecret, signedHeaders } from '#server/features/outgoing-webhooks/signature.ts'

t.test('a delivery is signed like the example of the specification', async t => {
  const headers = signedHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    atSeconds: 1_614_265_330,
    body: '{"test": 2432232314}',
  })
  t.same(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

t.test('secrets have the right length and are unique', async t => {
  const [one, other] = [newSecret(), newSecret()]
  t.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.not(one, other)
})
