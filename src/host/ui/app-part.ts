// What the user interface knows about the program itself: what runs, where it listens, what was logged.
import { Disposables } from '../../base/lifecycle'
import type { Clock } from '../../base/time'
import type { AppInfoView, PlaceView } from '../../contract/app'
import type { ActivityRing } from '../activity-ring'
import { HostError } from '../errors'
import type { LogRing } from '../log-ring'
import type { SettingsDesk } from '../settings-desk'
import type { SupervisedService } from '../supervised-service'
import { topic, type UiPart } from './ui-part'

export interface AppPartDeps {
  /** All of the information but what depends on the connection. Read at each call, since ports are known only after start. */
  readonly info: () => Omit<AppInfoView, 'access' | 'canSignIn'>
  readonly services: readonly SupervisedService[]
  readonly activity: ActivityRing
  readonly lines: LogRing
  readonly place: () => Promise<PlaceView>
  /** Null where options cannot be changed. */
  readonly settings: SettingsDesk | null
  readonly clock: Clock
}

export function appPart({ info, place, services, activity, lines, settings, clock }: AppPartDeps): UiPart<'app'> {
  const desk = (): SettingsDesk => {
    if (settings === null) throw new HostError('HOST_SERVICE_OFF', { service: 'config file' })
    return settings
  }
  return {
    calls: ({ control, approve, canSignIn }) => ({
      'app.info': () => ({ ...info(), access: { control, approve }, canSignIn }),
      'app.place': place,
      'app.logs': ({ from, count }) => lines.read(from, count),
      'app.options': () => ({ file: desk().file, sections: desk().sections(approve) }),
      'app.setOption': ({ key, value }) => ({ applies: desk().set(key, value, approve) }),
    }),
    topics: [
      topic('app.status', {
        read: () => ({ services: services.map((service) => service.view()), takenAt: clock.now() }),
        watch: (changed) => {
          const held = new Disposables()
          for (const service of services) held.add(service.events.on('stateChanged', changed))
          return held
        },
      }),
      topic('app.activity', {
        read: () => ({ entries: [...activity.entries()] }),
        watch: (changed) => activity.events.on('added', changed),
      }),
    ],
  }
}
