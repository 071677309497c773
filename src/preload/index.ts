// Preload of the dashboard window.
import { exposeBridge } from './bridge'

exposeBridge('dashboard')
