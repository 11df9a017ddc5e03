import { Icon } from '#client/ui/pictures/icon.tsx'
import type { BodyProps, KindViews } from './kind.ts'

const LocationBody = ({ message, t }: BodyProps) => {
  const place = message.location
  if (!place) return null
  const point = `${place.latitude},${place.longitude}`
  return (
    <>
      <a
        className="document"
        href={`https://www.openstreetmap.org/?mlat=${place.latitude}&mlon=${place.longitude}#map=17/${place.latitude}/${place.longitude}`}
        target="_blank"
        rel="noopener noreferrer"
      >
        <Icon name="pin" />
        <span className="cut">
          <bdi>{place.name ?? t('kind.location')}</bdi>
          <small>
            <bdi>{place.address ?? point}</bdi>
          </small>
        </span>
      </a>
      {place.url ? (
        <a className="place-page" href={place.url} target="_blank" rel="noopener noreferrer nofollow">
          {place.url.replace(/^https?:\/\//, '')}
        </a>
      ) : null}
    </>
  )
}

export const locationViews = { location: { Body: LocationBody } } satisfies KindViews
