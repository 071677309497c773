// Preload of the approval window, a renderer process of its own.
import { exposeBridge } from './bridge'

exposeBridge('approval')
