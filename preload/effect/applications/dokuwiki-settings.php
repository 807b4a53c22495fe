<?php
$conf['title'] = 'Effect';
$conf['useacl'] = 0;
$conf['updatecheck'] = 0;
$conf['sitemap'] = 0;
