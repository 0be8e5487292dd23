#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Looks at the status page in headless Chromium, on a desktop and on a phone: nothing may be wider
# than the screen, rows are cards on the phone, and nothing is loaded from elsewhere.
#
#   test_status_page.sh <test_status_page executable>
set -euo pipefail

page_test=$1
browser=$(command -v chromium || command -v chromium-browser || true)
if [ -z "$browser" ]; then
    echo "no chromium: the status page is not looked at (hack/install-deps.sh installs it)"
    [ "${CI-}" = true ] && exit 1
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

STATUS_PAGES=$work CK_FORK=no "$page_test" >"$work/log" || {
    cat "$work/log"
    exit 1
}

# measure <page> <width>: prints "<scroll width> <client width> <display of a cell>" of the page in
# a frame that wide, because a window of the browser cannot be as narrow as a phone.
measure() {
    cat >"$work/frame.html" <<END
<!DOCTYPE html><html><body><iframe id="page" src="$1" style="border:0;width:$2px;height:900px">
</iframe><p id="result">none</p><script>
const frame = document.getElementById("page");
frame.onload = () => {
    const doc = frame.contentDocument;
    const cell = doc.querySelector("tbody td");
    document.getElementById("result").textContent =
        doc.documentElement.scrollWidth + " " + doc.documentElement.clientWidth + " " +
        frame.contentWindow.getComputedStyle(cell).display + " end";
};
</script></body></html>
END
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --hide-scrollbars --disable-dev-shm-usage --user-data-dir="$work/profile" \
        --allow-file-access-from-files \
        --virtual-time-budget=5000 --window-size=1600,1000 --dump-dom \
        "file://$work/frame.html" 2>"$work/browser.log" |
        sed -n 's/.*<p id="result">\(.*\) end<\/p>.*/\1/p'
}

failed=0
for page in rich empty; do
    # The page would leave the frame by reloading itself.
    sed -i '/http-equiv="refresh"/d' "$work/$page.html"
    for width in 1280 768 360; do
        read -r scroll client display < <(measure "$page.html" "$width") || true
        if [ -z "${scroll-}" ]; then
            echo "$page at $width: the browser says nothing"
            tail -5 "$work/browser.log"
            exit 1
        fi
        wanted=table-cell
        [ "$width" -gt 960 ] || wanted=grid
        [ "$page" = rich ] || [ "$wanted" = table-cell ] || wanted=block
        echo "$page at $width: $scroll wide on $client, cells are $display"
        if [ "$client" -ne "$width" ] || [ "$scroll" -gt "$client" ]; then
            echo "$page at $width: wider than the screen"
            failed=1
        fi
        if [ "$display" != "$wanted" ]; then
            echo "$page at $width: cells should be $wanted"
            failed=1
        fi
    done
done
exit "$failed"
