<?php
// A plugin that WordPress always loads. WordPress computes its styles once a minute, so that a slow
// pass, as under valgrind, would do more work than a fast one.
foreach (['global_styles_', 'global_styles_svg_filters_'] as $transient) {
    add_filter(
        'expiration_of_transient_' . $transient . 'twentytwentyone',
        fn() => YEAR_IN_SECONDS
    );
}
