import { getDomain } from "tldts";
import { isActive } from "../noise-rules/noise-rule.ts";

// Services whose scripts, frames and pixels come and go on ordinary pages. Hosts where anyone can publish files or code
// (jsdelivr, cloudfront, storage buckets, tag managers) are left out on purpose: changes there are reported.
const vendors = new Set(
  `google-analytics.com googletagmanager.com doubleclick.net googlesyndication.com googleadservices.com
  googletagservices.com adservice.google.com 2mdn.net gstatic.com recaptcha.net   youtube.com youtube-nocookie.com ytimg.com
  facebook.net facebook.com connect.facebook.net linkedin.com licdn.com twitter.com ads-twitter.com x.com t.co pinterest.com pinimg.com
  snapchat.com sc-static.net tiktok.com ttwstatic.com reddit.com redditstatic.com quora.com bing.com clarity.ms msn.com
  hotjar.com hotjar.io fullstory.com mouseflow.com crazyegg.com contentsquare.net contentsquare.com smartlook.com luckyorange.com
  logrocket.io logrocket.com lr-ingest.io inspectlet.com clicktale.net quantummetric.com glassboxdigital.io heapanalytics.com heap.io
  mixpanel.com mxpnl.com amplitude.com segment.io rudderlabs.com posthog.com plausible.io matomo.cloud usefathom.com
  cloudflareinsights.com challenges.cloudflare.com newrelic.com nr-data.net datadoghq-browser-agent.com sentry.io sentry-cdn.com bugsnag.com
  rollbar.com go-mpulse.net akstat.io speedcurve.com pingdom.net nr-assets.net dynatrace.com ruxit.com elastic-apm.com
  onetrust.com cookielaw.org optanon.com onetrust.io cookiepro.com cookiebot.com usercentrics.eu usercentrics.com privacy-center.org didomi.io
  trustarc.com truste.com quantcast.com quantserve.com quantcount.com consensu.org sp-prod.net privacy-mgmt.com iubenda.com osano.com
  axept.io axeptio.eu tarteaucitron.io termly.io cookiefirst.com cookieyes.com cookie-script.com ketchjs.com transcend.io evidon.com
  crownpeak.net consentmanager.net consentmanager.mgr.consensu.org cookiepedia.co.uk sourcepoint.com   kameleoon.eu kameleoon.com monetate.net   launchdarkly.com split.io omtrdc.net demdex.net everesttech.net 2o7.net   criteo.com criteo.net taboola.com outbrain.com adnxs.com rubiconproject.com pubmatic.com openx.net casalemedia.com indexww.com
  amazon-adsystem.com adsrvr.org adform.net adform.com smartadserver.com teads.tv bidswitch.net 3lift.com sharethrough.com
  yieldlove.com yieldlab.net adition.com theadex.com emetriq.de ioam.de infonline.de iocnt.net scorecardresearch.com comscore.com
  chartbeat.com chartbeat.net parsely.com cxense.com piano.io tinypass.com permutive.com permutive.app bluekai.com krxd.net exelator.com
  rlcdn.com agkn.com mathtag.com turn.com bidr.io adroll.com steelhousemedia.com impactcdn.com impactradius-event.com awin1.com
  dwin1.com zenaps.com webgains.com tradedoubler.com skimresources.com viglink.com partnerize.com rtbhouse.com creativecdn.com
  taboolasyndication.com brealtime.com media.net contextweb.com lijit.com moatads.com doubleverify.com adsafeprotected.com
  intercom.io zopim.com drift.com driftt.com livechatinc.com tawk.to crisp.chat olark.com
  freshchat.com freshworks.com helpscout.net hubspot.com hs-scripts.com hs-analytics.net hs-banner.com hsforms.net hsforms.com
  hscollectedforms.net hsadspixel.net usemessages.com hubapi.com marketo.net marketo.com mktoresp.com pardot.com   salesforceliveagent.com eloqua.com en25.com bizible.com 6sc.co 6sense.com demandbase.com terminus.services
  qualtrics.com medallia.com kampyle.com usabilla.com surveymonkey.com feedbackify.com getfeedback.com trustpilot.com bazaarvoice.com
  yotpo.com powerreviews.com feefo.com klaviyo.com attn.tv attentivemobile.com braze.com appboycdn.com onesignal.com pushwoosh.com
  addthis.com addthisedge.com sharethis.com addtoany.com disqus.com gravatar.com typekit.net fontawesome.com fonts.net
  stripe.network hcaptcha.com arkoselabs.com perimeterx.net px-cdn.net datadome.co kasada.io distilnetworks.com riskified.com
  forter.com siftscience.com sift.com signifyd.com iovation.com maxymiser.net ds-aksb-a.akamaihd.net static.zdassets.com ekr.zdassets.com js.intercomcdn.com
  webtrends.com webtrekk.net wt-eu02.net etracker.com
  etracker.de econda-monitor.de at-o.net xiti.com ati-host.net eulerian.net mediametrie.fr weborama.fr weborama.com realytics.io
  mczbf.com emjcd.com cj.dotomi.com dotomi.com bat.bing.com yandex.ru mc.yandex.ru yandex.net mail.ru vk.com baidu.com
  gemius.pl hit.gemius.pl cnzz.com branch.io app.link appsflyer.com adjust.com onelink.me kochava.com singular.net
  sitescout.com tribalfusion.com zemanta.com stackadapt.com liadm.com id5-sync.com crwdcntrl.net tapad.com gumgum.com
  yimg.com analytics.yahoo.com undertone.com mediavine.com adthrive.com raptive.com ezoic.net ezojs.com snigelweb.com
  poool.fr qiota.com batch.com sirdata.io sirdata.com powerspace.com socloz.com global-e.com bglobale.com tapbuy.io mopinion.com
  survicate.com stonly.com pendo.io appcues.com userpilot.io datazoom.io instana.io raygun.io trackjs.com
  iadvize.com smartsupp.com userlike.com chatlio.com gorgias.chat gorgias.io kustomerapp.com ada.support forethought.ai
  reelevant.com cquotient.com facil-iti.com aticdn.net klarnaservices.com zi-scripts.com logr-ingest.com pagesense.io opmnstr.com
  upscore.com iteratehq.com brandmetrics.com evgnet.com cdn-cookieyes.com googleoptimize.com   accessibe.com acsbapp.com userway.org equalweb.com audioeye.com`
    .split(/\s+/)
    .filter(Boolean),
);

// Domains under which anyone can get a name, although the public suffix list doesn't say so.
const sharedDomains = new Set(
  "amazonaws.com windows.net glitch.me wordpress.com weebly.com squarespace.com b-cdn.net fastly.net backblazeb2.com force.com zendesk.com".split(
    " ",
  ),
);
// Hosts that serve anyone's files: the path says whose they are.
const openCdns = new Set(
  "cdn.optimizely.com assets.adobedtm.com tags.tiqcdn.com cdn.jsdelivr.net unpkg.com cdnjs.cloudflare.com raw.githubusercontent.com esm.sh cdn.skypack.dev rawcdn.githack.com".split(
    " ",
  ),
);
const bucketStores = new Set(["storage.googleapis.com", "s3.amazonaws.com"]);

const suffixes = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/** The registrable part of a host: example.co.uk for a.b.example.co.uk, b.github.io for a.b.github.io. */
export function registrable(host: string): string {
  if (host === "") return "";
  const name = host.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
  // IP addresses, names without a dot and bare suffixes stay as they are.
  const domain = getDomain(name, suffixes) ?? name;
  return sharedDomains.has(domain) ? name : domain;
}

/** Who published a file: the host's owner, or the first segments of the path if the host serves anyone's files. */
export function publisherOf(address: string): string {
  const host = hostOf(address);
  // Whoever owns a bucket publishes everything in it.
  const depth = bucketStores.has(host) ? 1 : openCdns.has(host) ? 2 : 0;
  if (depth === 0) return registrable(host);
  const path = address.slice(address.toLowerCase().indexOf(host) + host.length).split(/[?#]/)[0] ?? "";
  const steps = path.split("/").filter(Boolean).slice(0, depth);
  return [host, ...steps].join("/").replace(/(?<=.)@[^/]*/g, "");
}

// Google's other hosts serve what anyone wrote: scripts, sites, documents.
const google =
  /^(?:(?:www|apis|accounts|pay|maps|cse|translate|adservice|analytics|fundingchoicesmessages|ogs|news|consent|play|support|policies)\.)?google\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/;

/** Whether a host belongs to a common service whose resources come and go on ordinary pages. */
export function isVendor(host: string): boolean {
  if (!isActive("tracking.vendor")) return false;
  return vendors.has(registrable(host)) || vendors.has(host) || google.test(host);
}

const hostPattern =
  /^\s*(?:(?:https?|wss?):[/\\]+|[a-z][a-z\d+.-]*:\/\/|[/\\]{2,})(?:[^/?#@\\]*@)?([^/?#\\\s:]+)/i;

/** The host of an absolute or protocol-relative address, "" for anything else. */
export function hostOf(href: string): string {
  // Browsers ignore tabs and line breaks, and treat a backslash or a single slash like two slashes.
  const plain = /[\t\n\r]/.test(href) ? href.replace(/[\t\n\r]/g, "") : href;
  const match = hostPattern.exec(plain);
  return match?.[1]?.toLowerCase() ?? "";
}

/** The name of a publisher in the noise memory, separate for each use. */
export function hostItem(
  use: "script" | "inline" | "style" | "frame" | "form" | "link" | "address",
  href: string,
): string {
  return `${use} ${publisherOf(href)}`;
}

const region =
  /(?<![a-z])(?:af|ap|asia|australia|ca|cn|eu|europe|il|me|mx|northamerica|sa|southamerica|us|us-gov)-(?:central|east|north|south|west|northeast|northwest|southeast|southwest)-?\d/i;

/** Masks the cloud region that an address names: files-us-east-1.s3.amazonaws.com. */
export function withoutRegion(address: string): string {
  return address.replace(region, "*");
}
