import t from 'tap'
import { readCoordinates } from '#client/inbox/kinds/coordinates.ts'

const obelisco = { latitude: -34.6037, longitude: -58.3816 }

for (const typed of [
  '-34.6037, -58.3816',
  ' -34.6037 -58.3816 ',
  '-34.6037;-58.3816',
  'https://www.google.com/maps?q=-34.6037,-58.3816',
  'https://www.google.com/maps/search/?api=1&query=-34.6037%2C-58.3816',
  'https://maps.google.com/maps?q=loc:-34.6037,+-58.3816',
  'https://www.google.com/maps/place/Obelisco/@-34.6000,-58.3800,17z/data=!3m1!4b1!4m6!3m5!8m2!3d-34.6037!4d-58.3816',
  'https://www.openstreetmap.org/?mlat=-34.6037&mlon=-58.3816#map=19/1/2',
  'https://www.openstreetmap.org/#map=19/-34.6037/-58.3816',
  'https://www.google.com/maps/@-34.6037,-58.3816,15z',
])
  t.same(readCoordinates(typed), obelisco, typed)

t.same(readCoordinates('0,0'), { latitude: 0, longitude: 0 })
for (const typed of [
  '',
  'Av. Corrientes 1000',
  '91, 0',
  '10, 181',
  '-34.6037',
  'https://maps.app.goo.gl/abcdEF',
  '1,2,3',
])
  t.equal(readCoordinates(typed), undefined, typed)
